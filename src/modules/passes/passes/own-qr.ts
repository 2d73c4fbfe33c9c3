import { unauthorized } from '@/core/errors'
import type { Tx } from '@/db/client'
import { emitAll } from '@/outbox/emit'
import { newPassId } from './id'
import { findQrPasses, insertQrPasses, type PassRow } from './queries'

/** Created on first use. */
export async function qrPassOf(tx: Tx, userId: string): Promise<PassRow> {
  const before = (await findQrPasses(tx, [userId]))[0]
  if (before) return before
  const made = await makeQrPasses(tx, [userId])
  await emitAll(
    tx,
    'meetpass.claimed',
    made.map(({ ownerId, id, type }) => ({ userId: ownerId, passId: id, passType: type })),
  )
  const [pass] = await findQrPasses(tx, [userId])
  if (!pass) throw unauthorized(true)
  return pass
}

/**
 * QR passes of many people for printing. Emits no domain event, because printing is no claim by the owner. The number of statements
 * does not grow with the list; deleted accounts have no pass.
 */
export async function qrPassesOf(tx: Tx, userIds: string[]): Promise<Map<string, PassRow>> {
  const passes = byOwner(await findQrPasses(tx, userIds))
  const without = userIds.filter((userId) => !passes.has(userId))
  if (without.length === 0) return passes
  await makeQrPasses(tx, without)
  for (const [userId, pass] of byOwner(await findQrPasses(tx, without))) passes.set(userId, pass)
  return passes
}

/** The unique index decides; the second writer waits for the first commit and reads its row. */
const makeQrPasses = (tx: Tx, userIds: string[]) =>
  insertQrPasses(
    tx,
    userIds,
    userIds.map(() => newPassId()),
  )

const byOwner = (rows: PassRow[]) => new Map(rows.map((row) => [row.ownerId as string, row]))
