import { desc, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'

export const auditOf = (targetId: string) =>
  db.select().from(auditLog).where(eq(auditLog.targetId, targetId)).orderBy(desc(auditLog.id))
