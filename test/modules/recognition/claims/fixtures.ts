import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { badgeAwards, type badges, claimLinks } from '@/db/tables/badges'
import { outbox } from '@/db/tables/outbox'
import { transaction } from '@/db/transaction'
import { award } from '@/modules/recognition/badges/award'
import { type Limits, makeClaimLink } from '@/modules/recognition/claims/manage-actions'
import { makeBadge, makeCaller, makeStaffedGroup } from '../../../support/make'

export const makeLink = (badgeId: string, limits?: Limits) =>
  transaction((tx) => makeClaimLink(tx, badgeId, limits))

export const give = (badge: typeof badges.$inferSelect, userId: string) =>
  transaction((tx) => award(tx, badge, userId, 'group'))

/** A group with somebody in each role, and a badge of it. */
export async function makeGroupWithBadge() {
  const staffed = await makeStaffedGroup(['manage:badges'], { photoUrl: 'https://example.org/group.png' })
  const { group } = staffed
  const badge = await makeBadge({ groupId: group.id, description: 'Came along.' })
  const manage = `/v1/manage/groups/${group.id}`
  return { ...staffed, badge, manage, at: `${manage}/badges/${badge.id}/claim-links` }
}

export const makeFan = () => makeCaller(['user'])

export const usesOf = async (linkId: string) =>
  (await db.select().from(claimLinks).where(eq(claimLinks.id, linkId)))[0]?.currentUses

export const holdersOf = async (badgeId: string) =>
  (await db.select().from(badgeAwards).where(eq(badgeAwards.badgeId, badgeId))).map(({ userId }) => userId)

/** What was told of a person, in order. */
export const domainEventsOf = async (userId: string) =>
  (await db.select().from(outbox).orderBy(outbox.id))
    .filter(({ payload }) => (payload as { userId?: string }).userId === userId)
    .map(({ type, payload }) => [type, payload] as const)
