import { and, eq } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { groupClaimInvites, groupClaims } from '@/db/tables/group-claims'
import { groupMembers } from '@/db/tables/groups'
import { outbox } from '@/db/tables/outbox'
import { makeCaller } from '../../../support/make'

export const NOWHERE = '01890000-0000-7000-8000-000000000000'

export const makeClaimant = () => makeCaller(['manage:groups'])

export async function makeInvite(
  groupId: string,
  fields: Partial<typeof groupClaimInvites.$inferInsert> = {},
) {
  const token = randomHex(16)
  const id = newId()
  await db.insert(groupClaimInvites).values({ id, groupId, hash: hashSecret(token), ...fields })
  return { id, token, path: `/v1/groups/claim/${token}` }
}

export async function makeRequest(
  groupId: string,
  userId: string,
  fields: Partial<typeof groupClaims.$inferInsert> = {},
) {
  const [row] = await db
    .insert(groupClaims)
    .values({ id: newId(), groupId, userId, ...fields })
    .returning()
  return row as typeof groupClaims.$inferSelect
}

export const inviteRow = async (id: string) =>
  (await db.select().from(groupClaimInvites).where(eq(groupClaimInvites.id, id)))[0]

export const requestsOf = (groupId: string) =>
  db.select().from(groupClaims).where(eq(groupClaims.groupId, groupId)).orderBy(groupClaims.id)

export const roleIn = async (groupId: string, userId: string) =>
  (
    await db
      .select()
      .from(groupMembers)
      .where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, userId)))
  )[0]?.role

export const entriesOf = (targetId: string) =>
  db.select().from(auditLog).where(eq(auditLog.targetId, targetId))

/** What was told of a group, in order. */
export const domainEventsOf = async (groupId: string) =>
  (await db.select().from(outbox).orderBy(outbox.id))
    .filter(({ payload }) => (payload as { groupId?: string }).groupId === groupId)
    .map(({ type, payload }) => [type, payload] as const)
