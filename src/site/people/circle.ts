import { readUser } from '@/modules/account/profiles/actions'
import { listUserConnections } from '@/modules/passes/connections/actions'
import { listUserFollowers, listUserFollowing } from '@/modules/people/follows/actions'
import { personNamed } from '@/modules/people/users/cache'
import { emptyState, pageAsked, pager, pagerLinks } from '@/site/parts/list'
import { idsOf, knownPeople, personRow } from '@/site/parts/person'
import { ask } from '@/web/ask'
import { html } from '@/web/html'
import type { LoadOpen } from '@/web/open-page'
import { PEOPLE_SHOWN } from '@/web/topics'

const CIRCLES = ['followers', 'following', 'connections'] as const
type Circle = (typeof CIRCLES)[number]

const PER_PAGE = 40

const LISTS = { followers: listUserFollowers, following: listUserFollowing, connections: listUserConnections }

/** Followers, followed people, or connections of a person. */
export const showCircle =
  (circle: Circle): LoadOpen =>
  async (entry, { params, query, words }) => {
    const { people } = words
    const profile = await ask(entry, readUser, params)
    const { data, pagination } = await ask(entry, LISTS[circle], params, {
      ...pageAsked(query),
      limit: PER_PAGE,
    })
    const owner = await personNamed(profile.username)
    const known = await knownPeople(
      data.map((entry) => ({ ...entry, at: 'followedAt' in entry ? entry.followedAt : entry.connectedAt })),
    )
    const name = profile.name ?? profile.username
    const said = {
      followers: { title: people.followersOf(name), none: people.noFollowers, more: people.noFollowersText },
      following: { title: people.followingOf(name), none: people.noFollowing, more: undefined },
      connections: {
        title: people.connectionsOf(name),
        none: people.noConnections,
        more: people.noConnectionsText,
      },
    }[circle]
    const labels = { followers: people.followers, following: people.follows, connections: people.connections }
    const since = circle === 'connections' ? people.metAt : people.followedAt
    return {
      title: said.title,
      width: 'wide',
      section: 'people',
      theme: profile.themeColor ?? undefined,
      head: pagerLinks(pagination, query),
      about: [...idsOf([...known, ...(owner ? [owner] : [])]), 'followers.counted', PEOPLE_SHOWN],
      body: html`<p><a href="/u/${profile.username}">← <span dir="auto">${name}</span></a></p>
<h1 dir="auto">${said.title}</h1>
<nav aria-label="${people.title}"><ul class="tabs" role="list">${CIRCLES.map(
        (one) =>
          html`<li><a href="/u/${profile.username}/${one}"${one === circle && html` aria-current="page"`}>${labels[one]}</a></li>`,
      )}</ul></nav>
${
  known.length === 0
    ? emptyState({ title: said.none, text: said.more })
    : html`<ul class="rows grid" role="list">
${known.map((person) => personRow(person, { label: since, at: person.at }, words))}</ul>`
}
${pager(pagination, query, words)}`,
    }
  }
