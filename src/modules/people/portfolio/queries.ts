import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, ascending } from '@/db/keyset'
import { demandQuota } from '@/db/quotas'
import { complete, patched } from '@/db/rows'
import { portfolioItems } from '@/db/tables/people'
import { users } from '@/db/tables/users'

export type PortfolioRow = typeof portfolioItems.$inferSelect

export const AS_SORTED = ascending<PortfolioRow>(
  [portfolioItems.sortOrder, (row) => row.sortOrder],
  [portfolioItems.id, (row) => row.id],
)

export const listItemsOf = (db: Db | Tx, userId: string, after: After) =>
  db
    .select()
    .from(portfolioItems)
    .where(and(eq(portfolioItems.userId, userId), after))

export const countItemsOf = (db: Db | Tx, userId: string) =>
  db.$count(portfolioItems, eq(portfolioItems.userId, userId))

export const demandQuotaForItem = (tx: Tx, userId: string) =>
  demandQuota(tx, 'portfolioItems', {
    parent: [users.id, userId],
    children: portfolioItems,
    which: eq(portfolioItems.userId, userId),
  })

const own = (userId: string, id: string) => and(eq(portfolioItems.userId, userId), eq(portfolioItems.id, id))

export async function insertItem(tx: Tx, row: typeof portfolioItems.$inferInsert): Promise<PortfolioRow> {
  const [inserted] = await tx.insert(portfolioItems).values(complete(portfolioItems, row)).returning()
  return inserted as PortfolioRow
}

const CHANGEABLE = [
  'title',
  'description',
  'url',
  'imageUrl',
  'sortOrder',
] as const satisfies (keyof PortfolioRow)[]

export async function updateItem(
  tx: Tx,
  userId: string,
  id: string,
  change: Partial<Pick<PortfolioRow, (typeof CHANGEABLE)[number]>>,
): Promise<PortfolioRow | undefined> {
  const [changed] = await tx
    .update(portfolioItems)
    .set(patched(portfolioItems, CHANGEABLE, change))
    .where(own(userId, id))
    .returning()
  return changed
}

export async function deleteItem(tx: Tx, userId: string, id: string): Promise<boolean> {
  return (
    (await tx.delete(portfolioItems).where(own(userId, id)).returning({ id: portfolioItems.id })).length > 0
  )
}
