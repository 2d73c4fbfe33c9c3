import { eq, inArray, like, sql } from 'drizzle-orm'
import { readableCode } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { achievementProgress, achievementValues } from '@/db/tables/achievements'
import { entitlements } from '@/db/tables/administration'
import { badgeAwards, badges, claimLinks } from '@/db/tables/badges'
import { personalTokens } from '@/db/tables/credentials'
import { checkinCodes, checkins, events, rsvps } from '@/db/tables/events'
import { groupClaims } from '@/db/tables/group-claims'
import { favorites, groupMembers, groups } from '@/db/tables/groups'
import { connections, passDesigns, passes } from '@/db/tables/passes'
import { follows, portfolioItems } from '@/db/tables/people'
import { users } from '@/db/tables/users'

export const insertPeople = (tx: Tx, rows: (typeof users.$inferInsert)[]) =>
  tx.insert(users).values(rows).onConflictDoNothing()

export const insertFollows = (tx: Tx, rows: (typeof follows.$inferInsert)[]) =>
  tx.insert(follows).values(rows).onConflictDoNothing()

export const insertPortfolio = (tx: Tx, rows: (typeof portfolioItems.$inferInsert)[]) =>
  tx.insert(portfolioItems).values(rows)

/** Sets follower counts, which inserting the follows did not update. */
export const countFollows = (tx: Tx) =>
  tx.execute(sql`update users u set
    follower_count = (select count(*) from follows f join users o on o.id = f.follower_id
      where f.followee_id = u.id and o.profile_visibility = 'public'),
    following_count = (select count(*) from follows f join users o on o.id = f.followee_id
      where f.follower_id = u.id and o.profile_visibility = 'public')`)

export const peopleOf = (db: Db | Tx, domain: string) =>
  db
    .select({ id: users.id, username: users.username, role: users.role })
    .from(users)
    .where(like(users.email, `%@${domain}`))
    .orderBy(users.id)

export const replaceTokensNamed = async (
  tx: Tx,
  name: string,
  rows: (typeof personalTokens.$inferInsert)[],
) => {
  await tx.delete(personalTokens).where(eq(personalTokens.name, name))
  await tx.insert(personalTokens).values(rows)
}

export const countTokensNamed = (db: Db, name: string) =>
  db.$count(personalTokens, eq(personalTokens.name, name))

type Community = {
  groups: (typeof groups.$inferInsert)[]
  members: (typeof groupMembers.$inferInsert)[]
  favorites: (typeof favorites.$inferInsert)[]
  events: (typeof events.$inferInsert)[]
  codes: (typeof checkinCodes.$inferInsert)[]
  rsvps: (typeof rsvps.$inferInsert)[]
  checkins: (typeof checkins.$inferInsert)[]
}

export async function insertCommunity(tx: Tx, community: Community): Promise<void> {
  await tx.insert(groups).values(community.groups)
  await tx.insert(groupMembers).values(community.members)
  await tx.insert(favorites).values(community.favorites)
  await tx.insert(events).values(community.events)
  await tx.insert(checkinCodes).values(community.codes)
  await tx.insert(rsvps).values(community.rsvps)
  await tx.insert(checkins).values(community.checkins)
}

export const badgesNamed = async (tx: Tx, slugs: string[]) =>
  new Map(
    (
      await tx.select({ id: badges.id, slug: badges.slug }).from(badges).where(inArray(badges.slug, slugs))
    ).map(({ id, slug }) => [slug, id]),
  )

type Recognition = {
  badges: (typeof badges.$inferInsert)[]
  progress: {
    userId: string
    key: string
    values: string[]
    currentValue: number
    completedAt: Date | null
  }[]
  awards: Omit<typeof badgeAwards.$inferInsert, 'id'>[]
  links: { badgeId: string; maxUses: number }[]
  claims: Omit<typeof groupClaims.$inferInsert, 'id'>[]
  entitlements: Omit<typeof entitlements.$inferInsert, 'id'>[]
}

const withId = <T>(row: T) => ({ id: newId(), ...row })

export async function insertRecognition(tx: Tx, recognition: Recognition): Promise<void> {
  await tx.insert(badges).values(recognition.badges)
  const progress = recognition.progress.map(({ key, values: _, ...row }) => ({ achievementKey: key, ...row }))
  await tx.insert(achievementProgress).values(progress)
  const values = recognition.progress.flatMap(({ userId, key, values }) =>
    values.map((value) => ({ userId, achievementKey: key, value })),
  )
  await tx.insert(achievementValues).values(values)
  await tx.insert(badgeAwards).values(recognition.awards.map(withId))
  const links = recognition.links.map((link) => ({ ...link, code: readableCode(12).toLowerCase() }))
  await tx.insert(claimLinks).values(links.map(withId))
  await tx.insert(groupClaims).values(recognition.claims.map(withId))
  await tx.insert(entitlements).values(recognition.entitlements.map(withId))
}

export const insertDesigns = (tx: Tx, rows: (typeof passDesigns.$inferInsert)[]) =>
  tx.insert(passDesigns).values(rows)

export const insertConnections = (tx: Tx, rows: (typeof connections.$inferInsert)[]) =>
  tx.insert(connections).values(rows)

/** Passes with an owner in the order of users, then blank tags. */
export const allPasses = (db: Db) =>
  db
    .select({ id: passes.id, type: passes.type, username: users.username })
    .from(passes)
    .leftJoin(users, eq(users.id, passes.ownerId))
    .orderBy(passes.ownerId, passes.type, passes.id)

export const allGroups = (db: Db) =>
  db.select({ id: groups.id, urlname: groups.urlname }).from(groups).orderBy(groups.id)

export const allEvents = (db: Db) =>
  db
    .select({ id: events.id, title: events.title, status: events.status })
    .from(events)
    .orderBy(events.startTime)

export const allOwners = (db: Db) =>
  db
    .select({ userId: groupMembers.userId, groupId: groupMembers.groupId })
    .from(groupMembers)
    .where(is(groupMembers.role, 'owner'))
