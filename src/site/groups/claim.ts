import type { Visit } from '@/http/visit'
import { readGroupInvite } from '@/modules/community/group-claims/actions'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { ask } from '@/web/ask'
import type { Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import { addressOf, type Page } from '@/web/layout'
import { loginPath } from '@/web/login'
import { ownPath } from '@/web/own-path'
import { type Params, personOf } from '@/web/page'
import { summary } from '@/web/problem'

/** An invitation to own a group: which one, and one button. */
export async function showInvite(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const { groups } = wordsFor(visit)
  const { group, autoApprove, claimable } = await ask(visit, readGroupInvite, params)
  const person = personOf(visit)
  const title = claimable ? groups.inviteTitle(group.name) : groups.spentTitle
  return {
    title,
    section: 'groups',
    // The address is a secret: whoever has it may use it.
    headers: { 'referrer-policy': 'no-referrer' },
    body: html`${summary(sent)}<article class="tile">${coverOf(group.id, group.photoUrl, '30rem')}
<div class="invite"><p class="above">${groups.inviteAbove}</p>
<h1 dir="auto">${title}</h1>
${
  claimable
    ? html`<p>${groups.inviteText}</p>
<p><strong>${autoApprove ? groups.inviteNow : groups.inviteAsks}</strong></p>
${
  person === null
    ? html`<a class="button wide" href="${loginPath(ownPath(addressOf(visit)))}">${groups.acceptSignIn}</a>`
    : html`<form method="post">${formToken(person)}<button class="button wide">${groups.accept}</button></form>`
}`
    : html`<p>${groups.spentText}</p>`
}
<p class="after"><a href="/groups/${group.urlname}">${groups.lookAtGroup}</a></p></div></article>`,
  }
}
