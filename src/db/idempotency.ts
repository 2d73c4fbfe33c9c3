import { and, eq, lt, or, sql } from 'drizzle-orm'
import { unavailable } from '@/core/errors'
import type { Db, Tx } from './client'
import { isOneOf } from './comparisons'
import { deleteInSlices } from './delete-in-slices'
import { isDead } from './process-life'
import { idempotencyKeys as keys } from './tables/jobs'

export type Claim = {
  id: string
  claim: string
  userId: string
  keyHash: Uint8Array
  requestHash: Uint8Array
  claimedUntil: Date
  holder: number | null
}

/** Claims the key, or returns the state of the request that has it. Replaces claims of dead processes and expired answers. */
export async function claimKey(db: Db | Tx, claim: Claim, forgottenBefore: Date) {
  const taken = await db
    .insert(keys)
    .values(claim)
    .onConflictDoUpdate({
      target: [keys.userId, keys.keyHash],
      set: { ...claim, outcome: null, createdAt: sql`now()` },
      setWhere: or(
        lt(keys.createdAt, forgottenBefore),
        and(
          sql`${keys.claim} is not null`,
          or(lt(keys.claimedUntil, sql`now()`), isDead(keys.holder)),
          eq(keys.requestHash, claim.requestHash),
        ),
      ),
    })
    .returning({ id: keys.id })
  if (taken.length > 0) return null
  const [earlier] = await db
    .select({ requestHash: keys.requestHash, claim: keys.claim, outcome: keys.outcome })
    .from(keys)
    .where(and(eq(keys.userId, claim.userId), eq(keys.keyHash, claim.keyHash)))
  // The row was released a moment ago: the caller may retry.
  if (!earlier) throw unavailable()
  return earlier
}

/** Only the holder of the claim writes; a holder that lost its claim rolls back. */
export async function recordOutcome(db: Db | Tx, { id, claim }: Claim, outcome: string | null) {
  const recorded = await db
    .update(keys)
    .set({ outcome, claim: null })
    .where(and(eq(keys.id, id), eq(keys.claim, claim)))
    .returning({ id: keys.id })
  if (recorded.length === 0) throw unavailable()
}

export const forgetClaims = (db: Db | Tx, claims: Claim[]) =>
  db
    .delete(keys)
    .where(
      and(
        isOneOf(
          keys.id,
          claims.map(({ id }) => id),
        ),
        isOneOf(
          keys.claim,
          claims.map(({ claim }) => claim),
        ),
      ),
    )
    .execute()

export const deleteOldKeys = (db: Db, before: Date) =>
  deleteInSlices(db, keys, { old: lt(keys.createdAt, before), by: [keys.createdAt, keys.id] })
