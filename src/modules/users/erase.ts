import type { Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { removeAppsOf } from '@/modules/developer-apps/remove'
import { explainLastOwner } from '@/modules/groups/members/rules'
import { giveUpSeats } from '@/modules/rsvps/waitlist'
import { explainLastAdministrator } from './administrators'
import { outdate } from './around/count'
import { forgetMessages } from './messages'
import { deleteUser, type UserRow } from './queries'

/** Removes a locked person with everything personal. Those around them are to be counted after the commit. */
export async function erase(tx: Tx, { id }: UserRow): Promise<void> {
  await outdate(tx, id)
  await forgetMessages(tx, id)
  await removeAppsOf(tx, id)
  // Events are held before the person's row goes, as by everyone who takes a seat.
  await giveUpSeats(tx, id)
  await deleteUser(tx, id).catch(explainLastOwner).catch(explainLastAdministrator)
  await emit(tx, 'user.deleted', { userId: id })
}
