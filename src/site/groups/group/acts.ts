import type { Caller } from '@/core/caller'
import type { Entry } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { relationToGroup } from '@/modules/community/group-claims/relation'
import { listGroupMembers, readGroup } from '@/modules/community/groups/actions'
import { isOwned } from '@/modules/community/groups/staff/rules'
import { visibleGroup } from '@/modules/community/groups/visible'
import { listEvents } from '@/modules/gatherings/events/list/actions'
import { badgesOfGroup } from '@/modules/recognition/badges/catalog/cache'
import { readGroupLeaderboard } from '@/modules/recognition/leaderboards/actions'
import { knownPeople } from '@/site/parts/person'
import { ask } from '@/web/ask'
import { area } from '@/web/fields'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import type { Asked } from '@/web/open-page'
import { type Params, personOf } from '@/web/page'
import type { Slots } from '@/web/slots'
import type { Words } from '@/words/words'

const NEXT = 6
const PAST = 4
const MEMBERS = 16
const BOARD = 5

/** Everything on a group page, for this reader. */
export async function groupView(entry: Entry, params: Params) {
  const detail = await ask(entry, readGroup, params)
  const caller = typeof entry.visitor === 'object' ? entry.visitor : null
  const { group } = await visibleGroup(caller, detail.urlname as string)
  const events = (status: 'upcoming' | 'past', limit: number) =>
    ask(entry, listEvents, {}, { group: group.urlname, status, limit })
  const [next, past, members, board, badges, owned] = await Promise.all([
    events('upcoming', NEXT),
    events('past', PAST),
    ask(entry, listGroupMembers, params, { limit: MEMBERS }),
    ask(entry, readGroupLeaderboard, params, { limit: BOARD }),
    badgesOfGroup(group.id),
    isOwned(group.id),
  ])
  return {
    detail,
    slug: group.urlname,
    isListed: group.isListed,
    next,
    past,
    members: { hasMore: members.pagination.hasMore, people: await knownPeople(members.data) },
    board: { total: board.total, people: await knownPeople(board.entries) },
    badges,
    isOwned: owned,
  }
}

export type GroupView = Awaited<ReturnType<typeof groupView>>

const NOTHING = html``

export const actsForStrangers = ({ groups }: Words): Html =>
  html`<section class="card"><a class="button wide first" href="${LOGIN}">${groups.join}</a>
<p class="quiet small after">${groups.joinNote}</p></section>`

export const claimForStrangers = ({ groups }: Words): Html =>
  html`<section class="card"><h2 class="first">${groups.unowned}</h2>
<p class="quiet">${groups.unownedText}</p>
<p><a class="button plain small" href="${LOGIN}">${groups.claimSignIn}</a></p></section>`

/** The person's membership and actions. */
export async function ownActs(visit: Visit, { params, words }: Asked): Promise<Slots> {
  const caller = personOf(visit) as Caller
  const { group } = await visibleGroup(caller, params.slug as string)
  const { isFavorite, role, hasAsked } = await relationToGroup(caller, group.id)
  const { groups } = words
  const press = (deed: string, label: string, kind: string) =>
    html`<form method="post" action="?do=${deed}">${formToken(caller)}<input type="hidden" name="groupSlug" value="${group.urlname}"><button class="button ${kind}">${label}</button></form>`
  const asked = html`<p class="notice" role="status">${groups.asked}</p>`
  return {
    acts: html`<section class="card">${
      role !== null &&
      html`<p><strong>${groups.role[role]}</strong></p>
<p><a class="button" href="/manage/groups/${group.id}">${groups.manage}</a></p>`
    }${
      isFavorite
        ? html`<div class="joined"><strong>✓ ${groups.joined}</strong>${press('leave', groups.leave, 'plain small')}</div>`
        : html`${press('join', role === null ? groups.join : groups.joinToo, role === null ? 'wide first' : 'plain small')}
<p class="quiet small after">${groups.joinNote}</p>`
    }</section>`,
    asked: hasAsked ? asked : NOTHING,
    claim: hasAsked
      ? asked
      : html`<section class="card"><h2 class="first">${groups.unowned}</h2>
<p class="quiet">${groups.unownedText}</p>
<form method="post" action="?do=claim">${formToken(caller)}${area({ name: 'notes', label: groups.claimNotes, rows: 3, attributes: html` maxlength="1000"` })}
<button class="button plain after">${groups.claim}</button></form></section>`,
  }
}
