import { deleteCredentialsOf } from '@/auth/queries'
import type { Caller } from '@/core/caller'
import { now, nowMs } from '@/core/clock'
import { conflict, forbidden, gone } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { postTo } from '@/mail/post'
import { forgetRefusal } from '@/mail/refusing-mailboxes'
import { endGrantsOf } from '@/modules/access/grants/end'
import { lockUsers } from '@/modules/people/users/queries'
import { broadcast } from '@/outbox/broadcast'
import { isTaken } from './leave'
import { noticeLetter } from './letters'
import { UNDO_MS } from './links'
import {
  type ChangeRow,
  findConfirmable,
  findDepartureFrom,
  markConfirmed,
  markUndoneSince,
  setAddress,
} from './queries'

const TAKEN = refusals.addressHasAccount

export const deadLink = () => gone(refusals.changeLinkUsed)

/**
 * The link proves the mailbox, the session the account: without it, a mailbox owner could be tricked into confirming for another
 * account.
 */
export const isOwn = (change: ChangeRow, caller: Caller | null): caller is Caller =>
  caller?.userId === change.userId

/** Sets the new address and revokes every other credential, because a thief may have created some. */
export const confirmChange = (confirmHash: Uint8Array, caller: Caller | null): Promise<ChangeRow> =>
  transaction(async (tx) => {
    const meant = await findConfirmable(tx, { confirmHash }, now())
    if (!meant) throw deadLink()
    if (!isOwn(meant, caller)) throw forbidden(refusals.confirmInSameBrowser)
    const [person] = await lockUsers(tx, [meant.userId])
    // Of concurrent uses of a link, or an undo, the first to lock the person wins.
    const change = await findConfirmable(tx, { confirmHash }, now())
    if (!change || !person) throw deadLink()
    await setAddress(tx, person.id, change.newEmail, now()).catch(
      explain({ users_email_key: () => conflict(TAKEN) }),
    )
    // This transaction holds the address now, so a concurrent change is visible.
    if (await isTaken(tx, change)) throw conflict(TAKEN)
    const departure = await findDepartureFrom(tx, person.id, change.newEmail, now())
    await markConfirmed(tx, change.id, now(), new Date(nowMs() + UNDO_MS))
    await forgetRefusal(tx, change.newEmail)
    // Returning within the week is an undo: the address in between has no say.
    if (departure) await markUndoneSince(tx, departure, now())
    else if (change.oldEmail !== null)
      await postTo(tx, noticeLetter, change.oldEmail, {
        fact: `${change.id} confirmed`,
        data: { changeId: change.id },
        reader: person.id,
      })
    await deleteCredentialsOf(tx, person.id, caller.credential.id)
    await endGrantsOf(tx, person.id)
    broadcast(tx, { type: 'session.ended', data: { userId: person.id } })
    broadcast(tx, { type: 'access.ended', data: { userId: person.id } })
    // Only invalidates caches of the address, so it is no domain event.
    broadcast(tx, { type: 'user.seen', data: { userId: person.id } })
    return change
  })
