import { config } from '@/config/config'
import { nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { listAchievements } from '@/modules/recognition/achievements/actions'
import { listLeadingTo } from '@/modules/recognition/achievements/queries'
import { readBadge } from '@/modules/recognition/badges/actions'
import { badgeNamed } from '@/modules/recognition/badges/catalog/cache'
import { holdsBadge, listBadgeHolders } from '@/modules/recognition/badges/holders/actions'
import type { BadgeDetail } from '@/modules/recognition/badges/schema'
import { emptyState, pageAsked, pager, pagerLinks } from '@/site/parts/list'
import { medal, rarityMark, shareIn, written } from '@/site/parts/medal'
import { face } from '@/site/parts/person'
import { type Html, html } from '@/web/html'
import { loginPath } from '@/web/login'
import type { Asked, LoadOpen } from '@/web/open-page'
import { signedIn } from '@/web/page'
import { type Slots, slot } from '@/web/slots'
import { PEOPLE_SHOWN } from '@/web/topics'
import type { Words } from '@/words/words'
import { RARITY_MS } from './badges'

type BadgeAchievement = Awaited<ReturnType<typeof listLeadingTo>>[number]

const leadingTo = (badgeSlug: string): Promise<BadgeAchievement[]> => listLeadingTo(db, badgeSlug)

const PER_PAGE = 30

export const showBadge: LoadOpen = async (entry, { params: { slug = '' }, query, words }) => {
  const badge = await invoke(entry, readBadge, () => ({ slug }))
  const group = (await badgeNamed(badge.slug))?.group ?? null
  const achievements = await leadingTo(badge.slug)
  const { data: holders, pagination } = await invoke(entry, listBadgeHolders, () => ({
    slug,
    limit: PER_PAGE,
    ...pageAsked(query),
  }))
  const said = words.recognition.badge
  return {
    title: badge.name,
    description: badge.description ?? undefined,
    width: 'wide',
    section: 'badges',
    canonical: `/badges/${badge.slug}`,
    head: pagerLinks(pagination, query),
    about: [badge.id, PEOPLE_SHOWN, ...(group === null ? [] : [group.id]), ...holders.map(({ id }) => id)],
    endsAt: nowMs() + RARITY_MS,
    body: html`<p class="small"><a href="/badges">${words.recognition.badges.allBadges}</a></p>
<div class="columns"><div>
<header class="badge">${medal(badge, 'large')}
<div><h1 dir="auto">${badge.name}</h1>
<p>${badge.awardedCount > 0 && rarityMark(badge.rarity, words)}${group && html` <a href="/groups/${group.urlname}">${words.recognition.badges.given(group.name)}</a>`}</p></div>
</header>
${badge.description && html`<p class="lead" dir="auto">${badge.description}</p>`}
${facts(badge, words)}
<h2>${said.who}</h2>
${
  holders.length === 0
    ? emptyState({
        title: said.nobody,
        text: badge.awardedCount === 0 ? said.nobodyText : said.hiddenPeople,
        level: 'h3',
      })
    : html`<ul class="people" role="list">${holders.map(
        (person) =>
          html`<li><a href="/u/${person.username}">${face(person)}<span dir="auto">${person.name}</span></a></li>`,
      )}</ul>`
}
${pager(pagination, query, words)}
</div>
<aside class="card"><h2 class="first">${said.how}</h2>
${slot('own', ways(achievements, words, new Map()))}
${achievements.length === 0 && html`<p>${said.byHand(group?.name ?? config.siteName)}</p>`}
${slot('sign-in', achievements.length === 0 ? html`` : html`<a class="button plain wide" href="${loginPath(`/badges/${badge.slug}`)}">${said.signIn}</a>`)}
</aside>
</div>`,
  }
}

const facts = ({ awardedCount, points, rarity }: BadgeDetail, words: Words): Html => {
  const said = words.recognition.badge
  const fact = (label: string, value: string) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
  return html`<dl class="stats">${fact(said.points, written(points, words))}${fact(said.holders, written(awardedCount, words))}${fact(said.share, shareIn(rarity, words))}</dl>`
}

/** Achievements that award the badge, with the person's progress if known. */
function ways(found: readonly BadgeAchievement[], words: Words, done: ReadonlyMap<string, number>): Html {
  if (found.length === 0) return html``
  const { byAchievement, times } = words.recognition.badge
  return html`<p>${byAchievement}</p>
<ul class="ways" role="list">${found.map(({ key, name, description, targetValue }) => {
    const value = Math.min(done.get(key) ?? 0, targetValue)
    return html`<li><strong dir="auto">${name}</strong>${description && html`<br><span dir="auto">${description}</span>`}${
      done.has(key) &&
      html`<br><progress max="${targetValue}" value="${value}" aria-label="${times(value, targetValue)}"></progress> <span class="small number">${times(value, targetValue)}</span>`
    }</li>`
  })}</ul>`
}

/** Whether the person holds it, and their progress. */
export async function badgeForPerson(visit: Visit, { params: { slug = '' }, words }: Asked): Promise<Slots> {
  const said = words.recognition.badge
  const hold = await holdsBadge(signedIn(visit), slug)
  if (hold)
    return {
      own: html`<p class="notice"><strong>${said.yours}.</strong></p>
${ways(await leadingTo(slug), words, new Map())}`,
      'sign-in': html``,
    }
  const { data } = await invoke(visit, listAchievements, () => ({}))
  const done = new Map(data.map(({ key, currentValue }) => [key, currentValue]))
  return {
    own: html`<p class="quiet">${said.notYours}</p>
${ways(await leadingTo(slug), words, done)}`,
    'sign-in': html``,
  }
}
