import type { Db, Tx } from '@/db/client'
import { type After, ascending } from '@/db/keyset'
import { complete } from '@/db/rows'
import { passDesigns } from '@/db/tables/passes'
import type { DesignRow } from '@/modules/passes/passes/queries'

export const BY_ID = ascending<DesignRow>([passDesigns.id, ({ id }) => id])

export const listDesignRows = (db: Db | Tx, after: After) => db.select().from(passDesigns).where(after)

export const countDesigns = (db: Db | Tx) => db.$count(passDesigns)

/** Returns undefined if the id is taken. */
export async function insertDesign(
  tx: Tx,
  row: typeof passDesigns.$inferInsert,
): Promise<DesignRow | undefined> {
  const [inserted] = await tx
    .insert(passDesigns)
    .values(complete(passDesigns, row))
    .onConflictDoNothing({ target: passDesigns.id })
    .returning()
  return inserted
}
