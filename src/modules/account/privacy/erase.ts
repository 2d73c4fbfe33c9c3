import type { Tx } from '@/db/client'
import { removeAppsOf } from '@/modules/access/developer-apps/remove'
import { forgetMailsTo } from '@/modules/access/sign-in/mail/mails'
import { explainLastOwner } from '@/modules/community/groups/staff/rules'
import { eraseMessages } from '@/modules/developers/webhooks/erase-messages'
import { deleteGuestsWith } from '@/modules/gatherings/checkins/guests/queries'
import { endSheetsOf } from '@/modules/gatherings/pass-sheets/end'
import { giveUpSeats } from '@/modules/gatherings/rsvps/waitlist'
import { endPassesOf } from '@/modules/passes/passes/end-passes'
import { markAllRemovedOf } from '@/modules/people/uploads/queries'
import { explainLastAdministrator } from '@/modules/people/users/administrators'
import { outdate } from '@/modules/people/users/follower-counts/count'
import { deleteUser, type UserRow } from '@/modules/people/users/queries'
import { emit } from '@/outbox/emit'
import { deleteWordsOf } from '@/outbox/queries'

/**
 * Deletes a locked person with everything personal. The follower counts of people around them are corrected after the
 * commit.
 */
export async function erase(tx: Tx, { id, email }: UserRow): Promise<void> {
  await outdate(tx, id)
  // A relay that holds an event is waited for here, so that its messages to webhooks are there to be deleted.
  await deleteWordsOf(tx, id)
  await eraseMessages(tx, id)
  if (email !== null) await forgetMailsTo(tx, email.toLowerCase())
  if (email !== null) await deleteGuestsWith(tx, email.toLowerCase())
  await removeAppsOf(tx, id)
  // Events are locked before the person's row is deleted, in the order of everyone who takes a seat.
  await giveUpSeats(tx, id)
  // Now that no sheet of a coming event can be asked for, none is missed.
  await endSheetsOf(tx, id)
  // Whoever shows a picture holds what shows it first. Keys hold file names, so no event names them: `user.deleted` stands for all.
  await markAllRemovedOf(tx, id)
  await endPassesOf(tx, id)
  await deleteUser(tx, id).catch(explainLastOwner).catch(explainLastAdministrator)
  await emit(tx, 'user.deleted', { userId: id })
}
