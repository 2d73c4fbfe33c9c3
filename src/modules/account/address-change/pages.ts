import { refuseOtherSites } from '@/auth/csrf'
import { deleteCredentialsOf } from '@/auth/queries'
import { now } from '@/core/clock'
import { conflict, gone } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { onceEach, readForm } from '@/http/form-body'
import { queryOf, type Visit } from '@/http/visit'
import { deleteFeedTokenOf } from '@/modules/access/feed-tokens/queries'
import { switchOffAllOf } from '@/modules/developers/webhooks/queries'
import { people } from '@/modules/people/users/cache'
import { lockUsers } from '@/modules/people/users/queries'
import { broadcast } from '@/outbox/broadcast'
import { emit } from '@/outbox/emit'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { LOGIN } from '@/web/login'
import { message } from '@/web/message'
import { personOf } from '@/web/page'
import { fullDay } from '@/web/when'
import { confirmChange, deadLink, isOwn } from './confirm'
import { CONFIRM, hashOfToken, UNDO } from './links'
import {
  type ChangeRow,
  deleteIdentitiesOf,
  findConfirmable,
  findUndoable,
  markUndoneSince,
  setAddress,
} from './queries'

const ACCOUNTS = '/settings/accounts'

const tokenIn = (visit: Visit) => onceEach(new URLSearchParams(queryOf(visit.request.url))).get('token') ?? ''

async function sentToken(visit: Visit): Promise<string> {
  refuseOtherSites(visit.request)
  return (await readForm(visit.request)).get('token') ?? ''
}

/** Mail scanners open links, so the page has a button. */
const button = (action: string, token: string, label: string, kind = ''): Html =>
  html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<button class="button wide${kind}" type="submit">${label}</button>
</form>`

/** Shows the account, so that people do not confirm for a stranger's. */
async function accountOf({ userId }: ChangeRow): Promise<Html> {
  const person = await people.get(userId)
  return html`<strong dir="auto">${person?.username ? `@${person.username}` : (person?.name ?? '')}</strong>`
}

export async function showConfirm(visit: Visit): Promise<Page> {
  const { address, signIn } = wordsFor(visit).access
  const token = tokenIn(visit)
  const confirmHash = hashOfToken(token)
  const change = confirmHash && (await findConfirmable(db, { confirmHash }, now()))
  if (!change) throw deadLink()
  const person = personOf(visit)
  // The link may be in a stranger's mailbox, who must not learn whose account it is.
  const body = isOwn(change, person)
    ? html`<p>${address.confirmText(await accountOf(change), html`<strong>${change.newEmail}</strong>`)}</p>
<p>${address.confirmEnds}</p>${button(CONFIRM, token, address.confirmButton)}`
    : person === null
      ? html`<p>${address.elsewhere}</p><a class="button wide" href="${LOGIN}">${signIn.title}</a>`
      : html`<p>${address.otherAccount}</p>`
  return {
    title: address.confirmTitle,
    body: html`<div class="card">
<h1>${address.confirmTitle}</h1>
${body}
<p class="after small quiet">${address.notAsked}</p>
</div>`,
  }
}

export async function confirm(visit: Visit): Promise<Page> {
  const { address } = wordsFor(visit).access
  const confirmHash = hashOfToken(await sentToken(visit))
  if (!confirmHash) throw deadLink()
  const { newEmail } = await confirmChange(confirmHash, personOf(visit))
  return message({
    title: address.confirmed,
    text: address.confirmedText(newEmail),
    to: { href: ACCOUNTS, label: address.toSettings },
  })
}

export async function showUndo(visit: Visit): Promise<Page> {
  const words = wordsFor(visit)
  const { address } = words.access
  const token = tokenIn(visit)
  const undoHash = hashOfToken(token)
  const change = undoHash && (await findUndoable(db, { undoHash }, now()))
  if (!change) throw pastUndoing()
  return {
    title: address.undoTitle,
    body: html`<div class="card">
<h1>${address.undoTitle}</h1>
<p>${address.undoText(await accountOf(change), html`<strong>${change.oldEmail}</strong>`)}</p>
<p>${address.undoEnds}</p>
${button(UNDO, token, address.undoButton, ' danger')}
<p class="after small quiet">${address.undoUntil(fullDay(change.undoUntil, null, words))}</p>
</div>`,
  }
}

export async function undo(visit: Visit): Promise<Page> {
  const { address, signIn } = wordsFor(visit).access
  const undoHash = hashOfToken(await sentToken(visit))
  if (!undoHash) throw pastUndoing()
  const { oldEmail } = await undoChange(undoHash)
  return message({
    title: address.undone,
    text: address.undoneText(oldEmail as string),
    to: { href: LOGIN, label: signIn.title },
  })
}

const pastUndoing = () => gone(refusals.undoOver)

/**
 * Restores the old address, undoes later requests and changes, revokes all credentials and switches off all webhooks: the thief may
 * have created some. Only mail to this address still signs in.
 */
const undoChange = (undoHash: Uint8Array): Promise<ChangeRow> =>
  transaction(async (tx) => {
    const meant = await findUndoable(tx, { undoHash }, now())
    if (!meant) throw pastUndoing()
    const userId = meant.userId
    const [person] = await lockUsers(tx, [userId])
    const change = await findUndoable(tx, { undoHash }, now())
    if (!change || !person) throw pastUndoing()
    await setAddress(tx, userId, change.oldEmail as string, now()).catch(
      explain({ users_email_key: () => conflict(refusals.addressTaken) }),
    )
    await markUndoneSince(tx, change, now())
    await deleteCredentialsOf(tx, userId)
    await switchOffAllOf(tx, userId)
    if (await deleteFeedTokenOf(tx, userId)) await emit(tx, 'feed_token.rotated', { userId })
    if ((await deleteIdentitiesOf(tx, userId)) > 0)
      await emit(tx, 'user.updated', { userId, fields: ['linkedAccounts'] })
    broadcast(tx, { type: 'user.seen', data: { userId } })
    broadcast(tx, { type: 'session.ended', data: { userId } })
    broadcast(tx, { type: 'access.ended', data: { userId } })
    return change
  })
