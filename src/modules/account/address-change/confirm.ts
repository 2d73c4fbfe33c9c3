import { deleteCredentialsOf } from '@/auth/queries'
import type { Caller } from '@/core/caller'
import { now, nowMs } from '@/core/clock'
import { conflict, forbidden, gone } from '@/core/errors'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { postTo } from '@/mail/post'
import { forgetRefusal } from '@/mail/refusals'
import { endGrantsOf } from '@/modules/access/grants/end'
import { lockUsers } from '@/modules/people/users/queries'
import { broadcast } from '@/outbox/broadcast'
import { noticeLetter } from './letters'
import {
  type ChangeRow,
  findConfirmable,
  findDepartureFrom,
  markConfirmed,
  markUndoneSince,
  setAddress,
} from './queries'
import { isTaken } from './taken'
import { UNDO_MS } from './terms'

const TAKEN = 'This address has an account of its own: nothing has changed'

export const deadLink = () =>
  gone('This link was used already, is older than a day, or whoever asked has signed out: ask again')

/** The link proves the mailbox, the session proves the account: without it, the owner of a mailbox could be tricked into confirming it for another's account. */
export const isOwn = (change: ChangeRow, caller: Caller | null): caller is Caller =>
  caller?.userId === change.userId

/** Gives an account its new address, and ends every other way in: a thief may have made some. */
export const confirmChange = (confirmHash: Uint8Array, caller: Caller | null): Promise<ChangeRow> =>
  transaction(async (tx) => {
    const meant = await findConfirmable(tx, { confirmHash }, now())
    if (!meant) throw deadLink()
    if (!isOwn(meant, caller))
      throw forbidden(
        'Confirm this in the browser in which you asked for it, or sign in to the account first',
      )
    const [person] = await lockUsers(tx, [meant.userId])
    // Of several requests with one link, and of an undo at the same moment, the first to hold the person decides.
    const change = await findConfirmable(tx, { confirmHash }, now())
    if (!change || !person) throw deadLink()
    await setAddress(tx, person.id, change.newEmail, now()).catch(
      explain({ users_email_key: () => conflict(TAKEN) }),
    )
    // Now that the address is held by this transaction, nobody gives it up unseen.
    if (await isTaken(tx, change)) throw conflict(TAKEN)
    const departure = await findDepartureFrom(tx, person.id, change.newEmail, now())
    await markConfirmed(tx, change.id, now(), new Date(nowMs() + UNDO_MS))
    await forgetRefusal(tx, change.newEmail)
    // Coming back within the week is an undo: the address in between has no say in it.
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
    // Caches hold the old address; that it changed is nobody else's business.
    broadcast(tx, { type: 'user.seen', data: { userId: person.id } })
    return change
  })
