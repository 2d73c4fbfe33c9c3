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

/** Deletes a locked person with all personal data. Follower counts around them are corrected after the commit. */
export async function erase(tx: Tx, { id, email }: UserRow): Promise<void> {
  await outdate(tx, id)
  // Waits for a relay that holds an event, so that its webhook messages exist and can be deleted.
  await deleteWordsOf(tx, id)
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
