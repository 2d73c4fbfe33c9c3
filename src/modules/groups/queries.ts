import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { groupMembers, groups } from '@/db/tables/groups'
import type { StaffRole } from './staff'

export type GroupRow = typeof groups.$inferSelect

export async function findGroupWithRole(
  db: Db | Tx,
  groupId: string,
  userId: string,
): Promise<{ group: GroupRow; role: StaffRole | null } | undefined> {
  const [found] = await db
    .select({ group: groups, role: groupMembers.role })
    .from(groups)
    .leftJoin(groupMembers, and(eq(groupMembers.groupId, groups.id), eq(groupMembers.userId, userId)))
    .where(eq(groups.id, groupId))
  return found
}
