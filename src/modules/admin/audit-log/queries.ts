import type { Tx } from '@/db/client'
import { auditLog } from '@/db/tables/administration'

export const insertEntry = (tx: Tx, row: typeof auditLog.$inferInsert) =>
  tx.insert(auditLog).values(row).execute()
