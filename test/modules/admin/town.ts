import { desc, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { makeCaller } from '../../support/make'

/** Somebody who runs the place. */
export const makeAdmin = () => makeCaller(['admin'], { role: 'admin' })

export const auditOf = (targetId: string) =>
  db.select().from(auditLog).where(eq(auditLog.targetId, targetId)).orderBy(desc(auditLog.id))
