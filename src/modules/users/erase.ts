import type { Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { removeAppsOf } from '@/modules/developer-apps/remove'
import { explainLastOwner } from '@/modules/groups/members/rules'
import { giveUpSeats } from '@/modules/rsvps/waitlist'
import { explainLastAdministrator } from './administrators'
import { disappear } from './appear'
import { deleteUser, type UserRow } from './queries'

/** Removes a person with everything personal. Whoever asks has read them with `lockAround`. */
export async function erase(tx: Tx, { id, isPublic }: UserRow): Promise<void> {
  if (isPublic) await disappear(tx, id)
  await removeAppsOf(tx, id)
  // Events are held before the person's row goes, as by everyone who takes a seat.
  await giveUpSeats(tx, id)
  await deleteUser(tx, id).catch(explainLastOwner).catch(explainLastAdministrator)
  await emit(tx, 'user.deleted', { userId: id })
}
