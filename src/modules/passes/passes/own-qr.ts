import { unauthorized } from '@/core/errors'
import type { Tx } from '@/db/client'
import { emitAll } from '@/outbox/emit'
import { newPassId } from './id'
import { findQrPasses, insertQrPasses, type PassRow } from './queries'

/** The QR pass of a person who asks for it, which is made on first use. */
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
 * The QR passes of people by their ids, to be printed: a pass on paper is no claim by its owner, so no event tells of it. In as
 * few statements for a hall as for one person. Somebody who deleted the account meanwhile has none.
 */
export async function qrPassesOf(tx: Tx, userIds: string[]): Promise<Map<string, PassRow>> {
  const passes = byOwner(await findQrPasses(tx, userIds))
  const without = userIds.filter((userId) => !passes.has(userId))
  if (without.length === 0) return passes
  await makeQrPasses(tx, without)
  for (const [userId, pass] of byOwner(await findQrPasses(tx, without))) passes.set(userId, pass)
  return passes
}

/** The unique index decides who makes one; whoever comes second waits for that commit and reads it. */
const makeQrPasses = (tx: Tx, userIds: string[]) =>
  insertQrPasses(
    tx,
    userIds,
    userIds.map(() => newPassId()),
  )

const byOwner = (rows: PassRow[]) => new Map(rows.map((row) => [row.ownerId as string, row]))
