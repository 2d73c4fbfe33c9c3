import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'
import { readMe } from '@/modules/account/me/actions'
import { listOnboarding } from '@/modules/account/onboarding/actions'
import { listFavorites } from '@/modules/community/favorites/actions'
import { listGroups } from '@/modules/community/groups/actions'
import { listEvents } from '@/modules/gatherings/events/list/actions'
import { listMyRsvps } from '@/modules/gatherings/rsvps/list/actions'
import { listOwnBadges } from '@/modules/recognition/badges/actions'
import { placeOf } from '@/modules/recognition/leaderboards/place'
import { eventRow } from '@/site/parts/event'
import { emptyState } from '@/site/parts/list'
import { medal, pointsIn } from '@/site/parts/medal'
import { stepPath } from '@/site/parts/step-path'
import { ask } from '@/web/ask'
import { type Html, html } from '@/web/html'
import type { Asked } from '@/web/open-page'
import { personOf } from '@/web/page'
import type { Slots } from '@/web/slots'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import { GROUPS, groupsToJoin } from './home'

const PLANS = 5
const UPCOMING = 50
const JOINED = 40
const FRESH = 3
const BADGES = 4
/** The limit of the event filter. */
const SLUGS_LENGTH_MAX = 500

type Plans = Awaited<ReturnType<typeof plansOf>>

/** The home page of a member: next events, news, own status. */
export async function ownHome(visit: Visit, { words }: Asked): Promise<Slots> {
  const caller = personOf(visit) as Caller
  const joined = (await ask(visit, listFavorites, {}, { limit: JOINED })).data
  const [me, plans, steps, badges, place, fresh, groups] = await Promise.all([
    ask(visit, readMe),
    plansOf(visit),
    ask(visit, listOnboarding),
    ask(visit, listOwnBadges, {}, { limit: BADGES }),
    placeOf(caller),
    freshOf(visit, joined),
    ask(visit, listGroups, {}, { limit: GROUPS + joined.length }),
  ])
  const { home, language } = words
  const left = steps.filter(({ completed, dismissedAt }) => !completed && dismissedAt === null)
  const planned = new Set(plans.map(({ eventId }) => eventId))
  const isIn = new Set(joined.map(({ id }) => id))
  const unknown = fresh.filter(({ id }) => !planned.has(id)).slice(0, FRESH)
  const number = (n: number) => n.toLocaleString(LOCALES[language])
  return {
    join: html``,
    groups: groupsToJoin(groups.data.filter(({ id }) => !isIn.has(id)).slice(0, GROUPS), words),
    hero: html`<div class="columns mine"><div><h1 dir="auto">${home.hello(me.name)}</h1>
<section><h2>${home.yourNext}</h2>
${planList(plans.slice(0, PLANS), words)}</section>
${
  unknown.length > 0 &&
  html`<section><h2>${home.fresh}</h2>
<ul class="rows" role="list">
${unknown.map((event) => eventRow(event, words))}</ul></section>`
}</div>
<aside class="stack">${
      left.length > 0 &&
      html`<section class="card"><h2 class="first">${home.firstSteps(steps.length - left.length, steps.length)}</h2>
<progress max="${steps.length}" value="${steps.length - left.length}" aria-label="${home.firstSteps(steps.length - left.length, steps.length)}"></progress>
<ul>${left.slice(0, 2).map(({ key, title }) => {
        return html`<li><a href="${stepPath(key)}">${home.step[key] ?? title}</a></li>`
      })}</ul>
<p class="small"><a href="/settings#steps">${home.allSteps}</a></p></section>`
    }
<section class="card"><h2 class="first">${home.board}</h2>
${
  place === undefined
    ? html`<p class="quiet">${home.notOnBoard}</p>`
    : html`<p class="big number">${home.place(number(place.rank))}</p>
<p class="quiet">${pointsIn(place.score, words)}</p>`
}
<p><a href="/leaderboard">${home.seeBoard}</a></p>
${
  badges.data.length > 0 &&
  html`<h3>${home.newBadges}</h3>
<ul class="medals" role="list">${badges.data.map(
    (badge) =>
      html`<li><a href="/badges/${badge.slug}">${medal(badge)}<span dir="auto">${badge.name}</span></a></li>`,
  )}</ul>`
}</section></aside></div>`,
  }
}

/** Events with a seat or a place on the waitlist, next first. */
async function plansOf(visit: Visit) {
  const { data } = await ask(visit, listMyRsvps, {}, { when: 'upcoming', limit: UPCOMING })
  return data
    .filter(({ status }) => status !== 'cancelled')
    .sort((one, other) => one.event.dateTime.localeCompare(other.event.dateTime))
}

function planList(plans: Plans, words: Words): Html {
  const { home } = words
  const statusLine = ({ event, status, waitlistPosition }: Plans[number]) => {
    // The row already shows the cancellation.
    if (event.status === 'cancelled') return null
    return status === 'confirmed'
      ? html`<span class="mark">✓ ${home.going}</span>`
      : html`<span class="mark quiet">${waitlistPosition === null ? home.waitingSomewhere : home.waiting(waitlistPosition)}</span>`
  }
  return plans.length === 0
    ? emptyState({
        title: home.yourNextNone,
        text: home.yourNextNoneText,
        to: { href: '/events', label: home.look },
        level: 'h3',
      })
    : html`<ul class="rows" role="list">
${plans.map((plan) => eventRow(plan.event, words, { end: statusLine(plan) }))}</ul>`
}

/** The newest events of the person's groups. */
async function freshOf(visit: Visit, joined: readonly { urlname: string | null }[]) {
  let slugs = ''
  for (const { urlname } of joined)
    if (urlname !== null && slugs.length + urlname.length < SLUGS_LENGTH_MAX)
      slugs += slugs === '' ? urlname : `,${urlname}`
  if (slugs === '') return []
  return (await ask(visit, listEvents, {}, { group: slugs, sort: 'created', limit: FRESH + UPCOMING })).data
}
