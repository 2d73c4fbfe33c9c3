import { and, desc, eq, sql } from 'drizzle-orm'
import type { Asker } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { type After, descending } from '@/db/keyset'
import { demandQuota } from '@/db/quotas'
import { personalTokens } from '@/db/tables/credentials'
import { users } from '@/db/tables/users'

export type TokenRow = typeof personalTokens.$inferSelect

export const NEWEST_FIRST = descending<TokenRow>(
  [personalTokens.createdAt, (row) => row.createdAt],
  [personalTokens.id, (row) => row.id],
)

/** A person's tokens. An application can create none, so it sees none. */
const within = ({ userId, grantId }: Asker) =>
  and(eq(personalTokens.userId, userId), grantId === null ? undefined : sql`false`)

export const listTokensOf = (db: Db | Tx, asker: Asker, after: After) =>
  db
    .select()
    .from(personalTokens)
    .where(and(within(asker), after))

export const countTokensOf = (db: Db | Tx, asker: Asker) => db.$count(personalTokens, within(asker))

export const demandQuotaForToken = (tx: Tx, userId: string) =>
  demandQuota(tx, 'tokens', {
    parent: [users.id, userId],
    children: personalTokens,
    which: eq(personalTokens.userId, userId),
  })

export async function insertToken(tx: Tx, row: typeof personalTokens.$inferInsert): Promise<TokenRow> {
  const [inserted] = await tx.insert(personalTokens).values(row).returning()
  return inserted as TokenRow
}

/** Tokens created by this one cascade. */
export async function deleteToken(tx: Tx, asker: Asker, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(personalTokens)
    .where(and(within(asker), eq(personalTokens.id, id)))
    .returning({ id: personalTokens.id })
  return deleted.length > 0
}

/** Those of these tokens that still exist. */
export const findTokensAmong = (db: Db, userId: string, ids: string[]) =>
  db
    .select()
    .from(personalTokens)
    .where(and(eq(personalTokens.userId, userId), isOneOf(personalTokens.id, ids)))
    .orderBy(desc(personalTokens.createdAt), personalTokens.id)
