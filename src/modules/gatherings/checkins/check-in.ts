import { conflict } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { type CheckinRow, insertCheckin, type NewCheckin } from './queries'
import type { CheckinResult } from './schema'

type CheckinFields = {
  event: { id: string; groupId: string }
  userId: string
  method: CheckinRow['method']
  at: Date
}

/**
 * Checks a person in. `insert` locks a row that every check-in of the event waits for, so it runs last, right before the commit.
 * When it throws, the domain event rolls back too.
 */
export async function checkInPerson(
  tx: Tx,
  { event, userId, method, at }: CheckinFields,
  insert: (row: NewCheckin) => Promise<CheckinRow>,
): Promise<CheckinResult> {
  const id = newId()
  await emit(tx, 'checkin.created', {
    checkinId: id,
    eventId: event.id,
    groupId: event.groupId,
    userId,
    method,
  })
  const row = await insert({ id, eventId: event.id, userId, method, checkedInAt: at })
  return { id: row.id, eventId: row.eventId, checkedInAt: iso(row.checkedInAt), method: row.method }
}

/** Checks a person in without a code or an RSVP. */
export const checkInManually = (tx: Tx, entry: CheckinFields): Promise<CheckinResult> =>
  checkInPerson(tx, entry, async (row) => {
    const inserted = await insertCheckin(tx, row)
    if (!inserted) throw conflict(refusals.checkedInAlready)
    return inserted
  })
