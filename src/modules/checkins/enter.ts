import { newId } from '@/core/ids'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { type CheckinRow, insertCheckin } from './queries'
import type { CheckinResult } from './schema'

type Arrival = {
  event: { id: string; groupId: string }
  userId: string
  method: CheckinRow['method']
  /** None when a person of the staff let them in. */
  codeId: string | null
  at: Date
}

/** Lets a person in; nothing when they are in already. */
export async function enter(
  tx: Tx,
  { event, userId, method, codeId, at }: Arrival,
): Promise<CheckinResult | undefined> {
  const row = await insertCheckin(tx, {
    id: newId(),
    eventId: event.id,
    userId,
    codeId,
    method,
    checkedInAt: at,
  })
  if (!row) return undefined
  await emit(tx, 'checkin.created', {
    checkinId: row.id,
    eventId: event.id,
    groupId: event.groupId,
    userId,
    method,
  })
  return { id: row.id, eventId: row.eventId, checkedInAt: iso(row.checkedInAt), method: row.method }
}
