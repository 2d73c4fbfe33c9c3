import { config } from '@/config/config'
import { addressesOf, NO_FILTERS } from '@/modules/gatherings/feeds/address'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { ownPicture } from '@/modules/passes/card/face'
import { eventRow, eventsEndAt } from '@/site/parts/event'
import { membersIn } from '@/site/parts/group-tile'
import { emptyState } from '@/site/parts/list'
import { medal, pointsIn } from '@/site/parts/medal'
import { face, faces, idsOf } from '@/site/parts/person'
import { feedLinks, openGraph, subscribe } from '@/site/parts/sharing'
import { jsonLd } from '@/web/head'
import { type Html, html } from '@/web/html'
import { membersMarkdown } from '@/web/markdown'
import type { LoadOpen } from '@/web/open-page'
import { excerpt, webAddress } from '@/web/prose'
import { slot } from '@/web/slots'
import { PEOPLE_SHOWN } from '@/web/topics'
import type { Words } from '@/words/words'
import { actsForStrangers, claimForStrangers, type GroupView, groupView } from './acts'

export const showGroup: LoadOpen = async (entry, { params, words }) => {
  const view = await groupView(entry, params)
  const { detail, slug, next, past, members, board, badges } = view
  const path = `/groups/${slug}`
  const description = excerpt(detail.description, 160) || words.groups.lead
  const feeds = addressesOf({ kind: 'group', slug, filters: NO_FILTERS })
  return {
    title: detail.name,
    width: 'wide',
    section: 'groups',
    islands: ['own-time'],
    theme: detail.themeColor ?? undefined,
    canonical: view.isListed ? path : undefined,
    description,
    head: [
      ...feedLinks(feeds, detail.name),
      openGraph({ title: detail.name, description, path }, words),
      jsonLd({
        '@type': 'Organization',
        name: detail.name,
        url: config.baseUrl + path,
        description,
        ...(ownPicture(detail.photoUrl) && { logo: config.baseUrl + ownPicture(detail.photoUrl) }),
      }),
    ],
    about: [
      detail.id,
      PEOPLE_SHOWN,
      ...idsOf([...next.data, ...past.data, ...members.people, ...board.people, ...badges]),
    ],
    endsAt: eventsEndAt([...next.data, ...past.data]),
    body: html`${!view.isListed && html`<p class="notice">${words.groups.unlisted}</p>\n`}${banner(view)}
<div class="columns group"><div>
${head(view, words)}
</div>
<div>${slot('acts', actsForStrangers(words))}</div>
<div>
${nextList(view, words)}
${memberList(view, words)}
${badgeList(view, words)}
${pastList(view, words)}
</div>
<aside class="stack">
${boardList(view, words)}
${view.isListed && subscribe(feeds, words)}
${elsewhere(view, words)}
${view.isOwned ? slot('asked', html``) : slot('claim', claimForStrangers(words))}
</aside></div>`,
  }
}

function banner({ detail }: GroupView): Html {
  const cover = coverOf(detail.id, detail.heroImageUrl ?? null, '(min-width: 72em) 72rem, 100vw')
  return html`<div class="banner">${cover}</div>`
}

function head({ detail }: GroupView, words: Words): Html {
  const picture = ownPicture(detail.photoUrl)
  return html`<div class="title">${picture && html`<img class="logo" src="${picture}?w=160" alt="" width="72" height="72">`}
<div><h1 dir="auto">${detail.name}</h1>
<p class="quiet">${membersIn(detail, words)}${detail.isFeatured && html` · ★ ${words.groups.featured}`}</p></div></div>
<div class="prose" dir="auto">${membersMarkdown(detail.description ?? '')}</div>
${
  detail.tags.length > 0 &&
  html`<ul class="chips" role="list">${detail.tags.map(
    (tag) =>
      html`<li><a class="chip" href="/groups?tag=${encodeURIComponent(tag)}" dir="auto">${tag}</a></li>`,
  )}</ul>`
}`
}

function nextList({ detail, slug, isListed, next }: GroupView, words: Words): Html {
  const { groups } = words
  return html`<section><h2>${groups.next}</h2>
${
  next.data.length > 0
    ? html`<ul class="rows" role="list">
${next.data.map((event) => eventRow(event, words, { hasGroup: false }))}</ul>
${next.pagination.hasMore && html`<p><a href="/events?group=${encodeURIComponent(slug)}">${groups.allNext}</a></p>`}`
    : !isListed && detail.upcomingEvents.length > 0
      ? html`<ul>${detail.upcomingEvents.map(({ id, title }) => html`<li><a href="/events/${id}" dir="auto">${title}</a></li>`)}</ul>`
      : emptyState({ title: groups.noNext, text: groups.noNextText, level: 'h3' })
}</section>`
}

const pastList = ({ slug, past }: GroupView, words: Words) =>
  past.data.length > 0 &&
  html`<section><h2>${words.groups.past}</h2>
<ul class="rows" role="list">
${past.data.map((event) => eventRow(event, words, { hasGroup: false }))}</ul>
${past.pagination.hasMore && html`<p><a href="/events?group=${encodeURIComponent(slug)}&amp;status=past">${words.groups.allPast}</a></p>`}</section>`

const badgeList = ({ badges }: GroupView, words: Words) =>
  badges.length > 0 &&
  html`<section><h2>${words.groups.badges}</h2>
<ul class="rows" role="list">${badges.map(
    (badge) =>
      html`<li>${medal(badge)}<div class="what"><p class="name" dir="auto"><a href="/badges/${badge.slug}">${badge.name}</a></p>
<p class="quiet small" dir="auto">${badge.description}</p></div><div class="end number">${pointsIn(badge.points, words)}</div></li>\n`,
  )}</ul></section>`

const memberList = ({ slug, members }: GroupView, { groups }: Words) => html`<section><h2>${groups.who}</h2>
${
  members.people.length === 0
    ? html`<p class="quiet">${groups.noMembers}</p>`
    : html`${faces(members.people)}
<p><a href="/groups/${slug}/members">${groups.allMembers}</a></p>`
}</section>`

const boardList = ({ slug, board }: GroupView, words: Words) =>
  board.people.length > 0 &&
  html`<section><h2>${words.groups.board}</h2>
<ol class="rows tight" role="list">${board.people.map(
    (person) =>
      html`<li><span class="rank number">${person.rank}</span>${face(person, 'small')}<p class="what name" dir="auto"><a href="/u/${person.username}">${person.name}</a></p><span class="end number small">${pointsIn(person.score, words)}</span></li>\n`,
  )}</ol>
<p><a href="/leaderboard?group=${encodeURIComponent(slug)}">${words.groups.wholeBoard}</a></p></section>`

function elsewhere({ detail }: GroupView, { groups }: Words) {
  const named: [string, string | null][] = [
    [groups.website, webAddress(detail.website)],
    ...Object.entries(detail.socialLinks).map(([name, address]): [string, string | null] => [
      name,
      webAddress(address),
    ]),
  ]
  const links = named.filter(([, href]) => href !== null)
  return (
    links.length > 0 &&
    html`<section><h2>${groups.links}</h2>
<ul>${links.map(([name, href]) => html`<li><a href="${href}" rel="noopener nofollow" dir="auto">${name}</a></li>`)}</ul></section>`
  )
}
