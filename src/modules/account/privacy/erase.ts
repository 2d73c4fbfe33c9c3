import type { Tx } from '@/db/client'
import { removeAppsOf } from '@/modules/access/developer-apps/pictures'
import { forgetMailsTo } from '@/modules/access/sign-in/mail/mails'
import { demandOtherOwners, explainLastOwner } from '@/modules/community/groups/staff/rules'
import { deleteMessages, deleteWordsTold } from '@/modules/developers/webhooks/deliveries/queries'
import { listWebhooksOf } from '@/modules/developers/webhooks/queries'
import { deleteGuestsWith } from '@/modules/gatherings/checkins/guests/queries'
import { endSheetsNaming } from '@/modules/gatherings/pass-sheets/queries'
import { giveUpSeats } from '@/modules/gatherings/rsvps/waitlist'
import { closeOwner, deleteQrPassOf, endTagsOf } from '@/modules/passes/passes/queries'
import { markAllRemovedOf } from '@/modules/people/uploads/queries'
import { explainLastAdministrator } from '@/modules/people/users/administrators'
import { outdate } from '@/modules/people/users/follower-counts/count'
import { deleteUser, type UserRow } from '@/modules/people/users/queries'
import { emit } from '@/outbox/emit'
import { deleteTextsOf } from '@/outbox/queries'

/**
 * Ends the passes of a deleted account. The QR pass is deleted. Tags still exist physically, so they stay inactive forever instead
 * of blank, and a finder cannot claim one.
 */
export async function endPassesOf(tx: Tx, userId: string): Promise<void> {
  await closeOwner(tx, userId)
  await deleteQrPassOf(tx, userId)
  await endTagsOf(tx, userId)
}

/**
 * Ends the sheets of every event this person answered: their name may be printed there, and rendering again is cheap. Files are
 * removed after the commit.
 */
const endSheetsOf = (tx: Tx, userId: string): Promise<unknown> => endSheetsNaming(tx, userId)

/**
 * Messages of a person who deletes their account go in portions, ahead of the row and in its transaction: the cascade would
 * delete them in one statement, and a million of them take longer than a statement may.
 */
async function eraseMessages(tx: Tx, userId: string): Promise<void> {
  for (const { id } of await listWebhooksOf(tx, { userId, grantId: null }))
    for (let from: string | null = '-infinity'; from !== null; ) from = await deleteMessages(tx, id, from)
  await deleteWordsTold(tx, userId)
}

/** Deletes a locked person with all personal data. Follower counts around them are corrected after the commit. */
export async function erase(tx: Tx, { id, email }: UserRow): Promise<void> {
  // Deleting messages may take long, and the constraint refuses only after that.
  await demandOtherOwners(tx, id)
  await outdate(tx, id)
  // Waits for a relay that holds an event, so that its webhook messages exist and can be deleted.
  await deleteTextsOf(tx, id)
  await eraseMessages(tx, id)
  if (email !== null) await forgetMailsTo(tx, email.toLowerCase())
  if (email !== null) await deleteGuestsWith(tx, email.toLowerCase())
  await removeAppsOf(tx, id)
  // Locks events before deleting the person's row, in the order of RSVPs.
  await giveUpSeats(tx, id)
  // No new sheet of a coming event can name the person now, so none is missed.
  await endSheetsOf(tx, id)
  // Users of a picture lock its owner first. Upload keys hold file names, so no event names them: `user.deleted` covers all.
  await markAllRemovedOf(tx, id)
  await endPassesOf(tx, id)
  await deleteUser(tx, id).catch(explainLastOwner).catch(explainLastAdministrator)
  await emit(tx, 'user.deleted', { userId: id })
}
