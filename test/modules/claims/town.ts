import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Scope } from '@/core/scopes'
import { db } from '@/db/client'
import { badgeAwards, badges, claimLinks } from '@/db/tables/badges'
import { outbox } from '@/db/tables/facts'
import { transaction } from '@/db/transaction'
import { award } from '@/modules/badges/award'
import { type Limits, makeClaimLink } from '@/modules/claims/links'
import { makeCaller, makeGroup, makeMember } from '../../support/make'

const HOUR_MS = 3_600_000
export const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

/** A badge of the platform, unless a group is given. */
export async function makeBadge(fields: Partial<typeof badges.$inferInsert> = {}) {
  const unique = randomHex(6)
  const [row] = await db
    .insert(badges)
    .values({
      id: newId(),
      name: `Badge ${unique}`,
      slug: `badge-${unique}`,
      icon: '🧭',
      color: '#0ea5e9',
      points: 10,
      ...fields,
    })
    .returning()
  return row as typeof badges.$inferSelect
}

export const makeLink = (badgeId: string, limits?: Limits) =>
  transaction((tx) => makeClaimLink(tx, badgeId, limits))

export const give = (badge: typeof badges.$inferSelect, userId: string) =>
  transaction((tx) => award(tx, badge, userId, 'group'))

/** A group with somebody in each role, and a badge of it. */
export async function makeTown() {
  const scopes: Scope[] = ['manage:badges']
  const [owner, manager, volunteer] = [
    await makeCaller(scopes),
    await makeCaller(scopes),
    await makeCaller(scopes),
  ]
  const group = await makeGroup({ photoUrl: 'https://example.org/group.png' }, owner.user.id)
  await makeMember(group.id, manager.user.id, 'manager')
  await makeMember(group.id, volunteer.user.id, 'volunteer')
  const badge = await makeBadge({ groupId: group.id, description: 'Came along.' })
  const manage = `/v1/manage/groups/${group.id}`
  return { owner, manager, volunteer, group, badge, manage, at: `${manage}/badges/${badge.id}/claim-links` }
}

export const makeAdmin = () => makeCaller(['admin'], { role: 'admin' })

export const makeFan = () => makeCaller(['user'])

export const usesOf = async (linkId: string) =>
  (await db.select().from(claimLinks).where(eq(claimLinks.id, linkId)))[0]?.currentUses

export const holdersOf = async (badgeId: string) =>
  (await db.select().from(badgeAwards).where(eq(badgeAwards.badgeId, badgeId))).map(({ userId }) => userId)

/** What was told of a person, in order. */
export const factsOf = async (userId: string) =>
  (await db.select().from(outbox).orderBy(outbox.id))
    .filter(({ payload }) => (payload as { userId?: string }).userId === userId)
    .map(({ type, payload }) => [type, payload] as const)
