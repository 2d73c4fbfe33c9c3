import { nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { invoke } from '@/http/invoke'
import { listBadges } from '@/modules/recognition/badges/actions'
import { listNewestOfGroups } from '@/modules/recognition/badges/catalog/queries'
import { presentBadge } from '@/modules/recognition/badges/present'
import type { BadgeCatalog } from '@/modules/recognition/badges/schema'
import { emptyState, pageAsked, pager, pagerLinks } from '@/site/parts/list'
import { medal, pointsIn, rarityMark, written } from '@/site/parts/medal'
import { type Html, html } from '@/web/html'
import type { LoadOpen } from '@/web/open-page'
import { PEOPLE_SHOWN } from '@/web/topics'
import type { Words } from '@/words/words'

type GroupsBadge = { badge: BadgeCatalog; group: { id: string; name: string; urlname: string } }

const SHOWN = 24

const newestOfGroups = async (): Promise<GroupsBadge[]> =>
  (await listNewestOfGroups(db, SHOWN)).map(({ group, ...counted }) => ({
    badge: presentBadge(counted),
    group,
  }))

const PER_PAGE = 48

/** Rarity changes with every registration, without a message. */
export const RARITY_MS = 60_000

/** Domain events that change the list. */
const CHANGES = [
  'badge.created',
  'badge.updated',
  'badge.deleted',
  'badge.settled',
  'badge.awarded',
  'badge.revoked',
  'group.updated',
  'group.deleted',
  PEOPLE_SHOWN,
]

export const showBadges: LoadOpen = async (entry, { query, words }) => {
  const asked = pageAsked(query)
  const { data, pagination } = await invoke(entry, listBadges, () => ({ limit: PER_PAGE, ...asked }))
  const isFirst = Object.keys(asked).length === 0
  const ofGroups = isFirst ? await newestOfGroups() : []
  const { badges } = words.recognition
  return {
    title: badges.title,
    description: badges.lead,
    width: 'wide',
    section: 'badges',
    canonical: '/badges',
    head: pagerLinks(pagination, query),
    about: CHANGES,
    endsAt: nowMs() + RARITY_MS,
    body: html`<h1>${badges.title}</h1>
<p class="lead">${badges.lead}</p>
${
  data.length === 0 && ofGroups.length === 0
    ? emptyState({
        title: badges.none,
        text: badges.noneText,
        to: { href: '/events', label: badges.toEvents },
      })
    : html`<h2 class="hidden">${badges.ofAll}</h2>
<ul class="tiles badges" role="list">${data.map((badge) => badgeTile(badge, words, null))}</ul>`
}
${pager(pagination, query, words)}
${ofGroups.length > 0 && groupsPart(ofGroups, words)}`,
  }
}

const groupsPart = (found: readonly GroupsBadge[], words: Words): Html =>
  html`<h2>${words.recognition.badges.ofGroups}</h2>
<p class="quiet">${words.recognition.badges.ofGroupsLead}</p>
<ul class="tiles badges" role="list">${found.map(({ badge, group }) => badgeTile(badge, words, group))}</ul>`

const badgeTile = (badge: BadgeCatalog, words: Words, group: GroupsBadge['group'] | null): Html =>
  html`<li><article class="tile"><div class="about">${medal(badge)}
<div><h3 dir="auto"><a href="/badges/${badge.slug}">${badge.name}</a></h3>
<p class="small">${badge.awardedCount > 0 && rarityMark(badge.rarity, words)} <span class="number">${pointsIn(badge.points, words)}</span></p>
${badge.description && html`<p class="quiet small" dir="auto">${badge.description}</p>`}
<p class="quiet small">${group && html`<bdi>${group.name}</bdi> · `}${words.recognition.holders(badge.awardedCount, written(badge.awardedCount, words))}</p></div>
</div></article></li>
`
