import type { Caller } from '@/core/caller'
import type { Visit } from '@/http/visit'
import { relationToGroup } from '@/modules/community/group-claims/relation'
import { visibleGroup } from '@/modules/community/groups/visible'
import { area } from '@/web/fields'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import { LOGIN } from '@/web/login'
import type { Asked } from '@/web/open-page'
import { personOf } from '@/web/page'
import type { Slots } from '@/web/slots'
import type { Words } from '@/words/words'

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
