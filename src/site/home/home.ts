import { config } from '@/config/config'
import { canSignIn } from '@/modules/access/sign-in/visitor'
import { listUsers } from '@/modules/account/profiles/actions'
import { listGroups } from '@/modules/community/groups/actions'
import type { GroupListItem } from '@/modules/community/groups/schema'
import { listEvents } from '@/modules/gatherings/events/list/actions'
import { addressesOf, NO_FILTERS } from '@/modules/gatherings/feeds/address'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { type Numbers, numbersOf } from '@/site/about/texts'
import { eventsEndAt, eventTile } from '@/site/parts/event'
import { groupTile } from '@/site/parts/group-tile'
import { emptyState, stats } from '@/site/parts/list'
import { faces, idsOf, knownPeople } from '@/site/parts/person'
import { feedLinks, openGraph, subscribe } from '@/site/parts/sharing'
import { ask } from '@/web/ask'
import { jsonLd } from '@/web/head'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import type { LoadOpen } from '@/web/open-page'
import { slot } from '@/web/slots'
import { PEOPLE_SHOWN } from '@/web/topics'
import type { Words } from '@/words/words'

const EVENTS = 6
/** Groups on the page. */
export const GROUPS = 6
const PEOPLE = 18
const FEEDS = addressesOf({ kind: 'events', filters: NO_FILTERS })

export const showHome: LoadOpen = async (entry, { words }) => {
  const { home } = words
  const [events, groups, people, numbers] = await Promise.all([
    ask(entry, listEvents, {}, { limit: EVENTS }),
    ask(entry, listGroups, {}, { limit: GROUPS }),
    ask(entry, listUsers, {}, { limit: PEOPLE, sort: 'badges' }),
    numbersOf(),
  ])
  const known = await knownPeople(people.data)
  const tagline = config.site.tagline || home.tagline
  return {
    title: config.siteName,
    width: 'wide',
    section: 'home',
    islands: ['own-time'],
    canonical: '/',
    description: tagline,
    head: [
      ...feedLinks(FEEDS, config.siteName),
      openGraph({ title: config.siteName, description: tagline, path: '/' }, words),
      jsonLd({
        '@type': 'WebSite',
        name: config.siteName,
        url: `${config.baseUrl}/`,
        description: tagline,
        inLanguage: words.language,
        publisher: { '@type': 'Organization', name: config.siteName, url: `${config.baseUrl}/` },
      }),
    ],
    about: [
      ...idsOf([...events.data, ...groups.data, ...known]),
      ...[
        'event.published',
        'event.updated',
        'group.created',
        'group.updated',
        'user.registered',
        PEOPLE_SHOWN,
      ],
    ],
    endsAt: eventsEndAt(events.data),
    body: html`${slot('hero', hero(tagline, numbers, words))}
<section><div class="head"><h2>${home.soon}</h2>${events.data.length > 0 && html`<a href="/events">${home.all}</a>`}</div>
${
  events.data.length > 0
    ? html`<ul class="tiles slim" role="list">
${events.data.map((event) => eventTile(event, words))}</ul>`
    : emptyState({
        title: home.nothing,
        text: home.nothingText,
        to: canSignIn() ? { href: '/manage', label: home.plan } : undefined,
        level: 'h3',
      })
}</section>
${slot('groups', groupsToJoin(groups.data, words))}
${
  known.length > 0 &&
  html`<section><div class="head"><h2>${home.who}</h2><a href="/people">${home.allPeople}</a></div>
${faces(known)}</section>`
}
<div class="onward">${slot('join', canSignIn() ? howToJoin(words) : html``)}
${subscribe(FEEDS, words)}</div>`,
  }
}

export const groupsToJoin = (groups: readonly GroupListItem[], words: Words): Html =>
  html`${
    groups.length > 0 &&
    html`<section><div class="head"><h2>${words.home.groups}</h2><a href="/groups">${words.home.allGroups}</a></div>
<ul class="tiles slim" role="list">
${groups.map((group) => groupTile(group, words))}</ul></section>`
  }`

/** A constant seed, so that everyone gets the same pattern. */
const PATTERN = 'rays over the front page'

const hero = (tagline: string, numbers: Numbers, words: Words): Html =>
  html`<div class="hero"><div><h1 dir="auto">${config.siteName}</h1>
<p class="lead" dir="auto">${tagline}</p>
${
  !canSignIn() &&
  html`<p class="notice">${words.home.noWay}</p>
`
}<div class="buttons">${canSignIn() && html`<a class="button" href="${LOGIN}">${words.home.join}</a>`}<a class="button plain" href="/events">${words.home.look}</a></div>
${
  numbers.groups > 0 &&
  stats(words, [
    [words.home.people, numbers.people],
    [words.home.groupCount, numbers.groups],
    [words.home.upcoming, numbers.upcoming],
  ])
}</div>
${coverOf(PATTERN, null, '')}</div>`

const howToJoin = ({ home }: Words): Html =>
  html`<section class="card"><h2 class="first">${home.howTo}</h2>
<ol class="joining">${home.steps.map(([title, text]) => html`<li><strong>${title}</strong><br><span class="quiet">${text}</span></li>`)}</ol>
<p><a class="button" href="${LOGIN}">${home.join}</a></p></section>`
