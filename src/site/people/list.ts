import { invoke } from '@/http/invoke'
import { listUsers } from '@/modules/account/profiles/actions'
import type { PublicUserList } from '@/modules/account/profiles/schema'
import { emptyState, PAGER_QUERY, pageAsked, pager, pagerLinks, searchForm } from '@/site/parts/list'
import { idsOf, type Known, knownPeople } from '@/site/parts/person'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import type { LoadOpen } from '@/web/open-page'
import { excerpt } from '@/web/prose'
import { PEOPLE_SHOWN } from '@/web/topics'
import { face } from '../parts/person'

export const PEOPLE_QUERY = ['search', 'sort', 'badge', ...PAGER_QUERY] as const

const PER_PAGE = 24
const SORTS = ['joined', 'xp', 'badges'] as const

export const showPeople: LoadOpen = async (entry, { query, words }) => {
  const { people } = words
  const asked = Object.fromEntries(
    ['search', 'sort', 'badge'].map((name) => [name, query.get(name) ?? undefined]),
  )
  const { data, pagination } = await invoke(entry, listUsers, () => ({
    ...asked,
    ...pageAsked(query),
    limit: PER_PAGE,
  }))
  const known = await knownPeople(data)
  const sort = asked.sort ?? SORTS[0]
  const sortedBy = (one: string) => {
    const other = new URLSearchParams(query)
    for (const name of ['sort', ...PAGER_QUERY]) other.delete(name)
    if (one !== SORTS[0]) other.set('sort', one)
    return other.size === 0 ? '/people' : `/people?${other}`
  }
  return {
    title: people.title,
    width: 'wide',
    section: 'people',
    canonical: query.size === 0 ? '/people' : undefined,
    description: people.lead,
    head: pagerLinks(pagination, query),
    // Any changed person may appear here.
    about: [...idsOf(known), 'user.registered', 'user.updated', PEOPLE_SHOWN],
    body: html`<div class="head"><div><h1>${people.title}</h1>
<p class="lead">${people.lead}</p></div></div>
${searchForm({ label: people.search, button: words.frame.searchFor, value: asked.search ?? '', keep: { sort: asked.sort ?? '' } })}<nav aria-label="${people.sort}"><ul class="tabs" role="list">${SORTS.map(
      (one) =>
        html`<li><a href="${sortedBy(one)}"${one === sort && html` aria-current="page"`}>${people.sorts[one]}</a></li>`,
    )}</ul></nav>
${
  known.length === 0
    ? query.size > 0
      ? emptyState({
          title: people.noneFound,
          text: people.noneFoundText,
          to: { href: '/people', label: people.showAll },
        })
      : emptyState({ title: people.none, text: people.noneText, to: { href: LOGIN, label: people.signIn } })
    : html`<h2 class="hidden">${people.title}</h2><ul class="tiles" role="list">
${known.map(personTile)}</ul>`
}
${pager(pagination, query, words)}`,
  }
}

const BADGES = 6

const personTile = (person: Known<PublicUserList>): Html =>
  html`<li><article class="tile ${person.themeColor ?? ''}"><div class="about">${face(person)}
<div><h3 dir="auto"><a href="/u/${person.username}">${person.name}</a></h3>
<p class="quiet small"><bdi>@${person.username}</bdi>${person.location && html` · <bdi>${person.location}</bdi>`}</p>
${person.bio && html`<p class="small bio" dir="auto">${excerpt(person.bio, 110)}</p>\n`}${
  person.badges.length > 0 &&
  html`<p class="icons" role="img" aria-label="${person.badges.map(({ name }) => name).join(', ')}">${person.badges
    .slice(0, BADGES)
    .map(({ icon, name }) => html`<span title="${name}">${icon}</span>`)}</p>`
}</div></div></article></li>
`
