import { TOKEN_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/secrets'
import { openSession } from '@/auth/sessions'
import { checkedSecret, randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Scope } from '@/core/scopes'
import { db } from '@/db/client'
import { badges } from '@/db/tables/badges'
import { personalTokens } from '@/db/tables/credentials'
import { events } from '@/db/tables/events'
import { groupMembers, groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { HOUR_MS, inHours } from './time'

export type MadeUser = typeof users.$inferSelect

/** A person nobody else in the run knows. */
export async function makeUser(fields: Partial<typeof users.$inferInsert> = {}): Promise<MadeUser> {
  const unique = randomHex(6)
  const [row] = await db
    .insert(users)
    .values({
      id: newId(),
      name: `Person ${unique}`,
      username: `person-${unique}`,
      email: `${unique}@example.org`,
      ...fields,
    })
    .returning()
  return row as MadeUser
}

export async function makeToken(
  userId: string,
  scopes: Scope[],
  fields: Partial<typeof personalTokens.$inferInsert> = {},
) {
  const token = checkedSecret(TOKEN_PREFIX)
  const id = newId()
  await db.insert(personalTokens).values({
    id,
    userId,
    name: 'test',
    hash: hashSecret(token),
    prefix: token.slice(0, 15),
    scopes,
    ...fields,
  })
  return { id, token }
}

export const makeSession = (userId: string) => openSession(db, userId, 'test browser')

/** A person with a token, which is what most tests begin with. */
export async function makeCaller(
  scopes: Scope[] = ['user'],
  fields: Partial<typeof users.$inferInsert> = {},
) {
  const user = await makeUser(fields)
  return { user, ...(await makeToken(user.id, scopes)) }
}

/** Somebody who runs the place. */
export const makeAdmin = () => makeCaller(['admin'], { role: 'admin' })

/** A listed group; with an owner when one is given. */
export async function makeGroup(fields: Partial<typeof groups.$inferInsert> = {}, ownerId?: string) {
  const unique = randomHex(6)
  const [row] = await db
    .insert(groups)
    .values({ id: newId(), urlname: `group-${unique}`, name: `Group ${unique}`, ...fields })
    .returning()
  const group = row as typeof groups.$inferSelect
  if (ownerId) await makeMember(group.id, ownerId, 'owner')
  return group
}

export async function makeMember(groupId: string, userId: string, role: 'owner' | 'manager' | 'volunteer') {
  const [row] = await db.insert(groupMembers).values({ id: newId(), groupId, userId, role }).returning()
  return row as typeof groupMembers.$inferSelect
}

/** A group with somebody in each role, who hold these scopes. */
export async function makeStaffedGroup(scopes: Scope[], fields: Partial<typeof groups.$inferInsert> = {}) {
  const [owner, manager, volunteer] = [
    await makeCaller(scopes),
    await makeCaller(scopes),
    await makeCaller(scopes),
  ]
  const group = await makeGroup(fields, owner.user.id)
  await makeMember(group.id, manager.user.id, 'manager')
  await makeMember(group.id, volunteer.user.id, 'volunteer')
  return { group, owner, manager, volunteer }
}

/** A badge of the platform, unless a group is named. */
export async function makeBadge(fields: Partial<typeof badges.$inferInsert> = {}) {
  const unique = randomHex(6)
  const [row] = await db
    .insert(badges)
    .values({
      id: newId(),
      name: `Badge ${unique}`,
      slug: `badge-${unique}`,
      icon: '🏅',
      color: '#123456',
      points: 10,
      ...fields,
    })
    .returning()
  return row as typeof badges.$inferSelect
}

/** A published event that starts in an hour and takes two. */
export async function makeEvent(groupId: string, fields: Partial<typeof events.$inferInsert> = {}) {
  const startTime = fields.startTime ?? inHours(1)
  const endTime = fields.endTime === undefined ? new Date(startTime.getTime() + 2 * HOUR_MS) : fields.endTime
  const overAt = endTime ?? new Date(startTime.getTime() + 3 * HOUR_MS)
  const [row] = await db
    .insert(events)
    .values({
      id: newId(),
      groupId,
      title: `Event ${randomHex(6)}`,
      timezone: 'Europe/Berlin',
      status: 'published',
      publishedAt: new Date(),
      ...fields,
      startTime,
      endTime,
      overAt,
    })
    .returning()
  return row as typeof events.$inferSelect
}
