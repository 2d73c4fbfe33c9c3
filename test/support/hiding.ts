import { eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { badgeAwards, badges } from '@/db/tables/badges'
import { events, rsvps } from '@/db/tables/events'
import { favorites, groups } from '@/db/tables/groups'
import { connections } from '@/db/tables/passes'
import { follows } from '@/db/tables/people'
import { users } from '@/db/tables/users'
import { dropCaches } from '@/outbox/bus'
import { post } from './api'
import type { Values } from './inputs'
import { makeBadge, makeCaller, makeEvent, makeGroup, makeUser } from './make'

const unique = (word: string) => `${word}-${randomHex(6)}`

function person(word: string) {
  const username = unique(word)
  return { id: newId(), username, name: `Name of ${username}`, email: `${username}@example.org` }
}

/** What will hide, by name: so it can be asked for before it is there. */
function planned() {
  const group = { id: newId(), urlname: unique('unlisted'), name: unique('Unlisted'), isListed: false }
  return {
    private: { ...person('private'), profileVisibility: 'private' as const },
    suspended: { ...person('suspended'), suspendedAt: new Date() },
    group,
    event: { id: newId(), title: unique('Behind closed doors'), tags: [unique('closed')] },
    draft: { id: newId(), title: unique('Not yet'), status: 'draft' as const, publishedAt: null },
    badge: { id: newId(), slug: unique('secret'), name: unique('Secret'), hidden: true, points: 1000 },
    badgeOfGroup: { id: newId(), slug: unique('of-unlisted'), name: unique('Inside'), groupId: group.id },
  }
}

const give = (badgeId: string, userId: string) =>
  db.insert(badgeAwards).values({ id: newId(), badgeId, userId, source: 'admin' })
const follow = (followerId: string, followeeId: string) =>
  db.insert(follows).values({ followerId, followeeId })
const sit = (eventId: string, userId: string) =>
  db.insert(rsvps).values({ id: newId(), eventId, userId, status: 'confirmed' })
const meet = (ownerId: string, visitorId: string) =>
  db.insert(connections).values({ id: newId(), ownerId, visitorId, createdAt: new Date() })
const favor = (groupId: string, userId: string) => db.insert(favorites).values({ groupId, userId })

/** A small community in which something of every kind can hide, and show itself. */
export async function makeHidingCommunity() {
  const secret = planned()
  const admin = await makeCaller([...SCOPE_NAMES], { role: 'admin' })
  const member = await makeCaller(SCOPE_NAMES.filter((name) => name !== 'admin'))
  const someone = await makeUser()
  const group = await makeGroup()
  const onlineUrl = `https://meet.example/${randomHex(8)}`
  const event = await makeEvent(group.id, { onlineUrl, eventType: 'hybrid' })
  const badge = await makeBadge({ points: 1000 })
  const badgeOfGroup = await makeBadge({ groupId: group.id })
  for (const { id } of [badge, badgeOfGroup]) await give(id, someone.id)
  await sit(event.id, someone.id)
  await favor(group.id, someone.id)
  const made = async (path: string) => (await post(path, { token: admin.token, json: {} })).body.data
  const checkin = await made(`/v1/manage/groups/${group.id}/events/${event.id}/checkin-codes`)
  const link = await made(`/v1/admin/badges/${badge.id}/claim-links`)
  const invite = await made(`/v1/admin/groups/${group.id}/claim-invites`)
  dropCaches()

  const hiddenPeople = [secret.private, secret.suspended]
  const slugs = [group.urlname, secret.group.urlname]
  const badgeSlugs = [badge, badgeOfGroup, secret.badge, secret.badgeOfGroup].map(({ slug }) => slug)
  const values: Values = {
    username: [someone, ...hiddenPeople].map(({ username }) => username),
    userId: [someone, ...hiddenPeople].map(({ id }) => id),
    slug: [...slugs, ...badgeSlugs],
    groupSlug: slugs,
    groupId: [group.id, secret.group.id],
    eventId: [event.id, secret.event.id, secret.draft.id],
    badgeId: [badgeOfGroup.id, secret.badgeOfGroup.id],
    // A code is a key: whoever holds it may know what it opens. These open what anyone may know of.
    code: [checkin.code, link.code],
    token: [invite.token],
    group: [secret.group.urlname],
    badge: [secret.badge.slug, secret.badgeOfGroup.slug],
    tag: secret.event.tags,
    search: [
      ...hiddenPeople.map(({ name }) => name),
      ...[secret.group.name, secret.event.title, secret.draft.title],
    ],
    limit: [100],
  }

  return {
    admin,
    member,
    values,
    /** The words by which each hidden thing would be recognised. */
    words: Object.entries(secret).map(([what, thing]) => ({
      what,
      words: [
        thing.id,
        ...('username' in thing ? [thing.username, thing.name] : []),
        ...('urlname' in thing ? [thing.urlname, thing.name] : []),
        ...('title' in thing ? [thing.title] : []),
        ...('slug' in thing ? [thing.slug, thing.name] : []),
      ],
    })),
    /** What stays with those whom it concerns, whoever else is in sight. */
    confidential: [onlineUrl, ...[someone, ...hiddenPeople].map(({ email }) => email as string)],

    hide: async () => {
      for (const fields of hiddenPeople) await makeUser(fields)
      await makeGroup(secret.group)
      await makeEvent(secret.group.id, secret.event)
      await makeEvent(group.id, secret.draft)
      await makeBadge(secret.badge)
      await makeBadge(secret.badgeOfGroup)
      // Who is seen has to do with all of it, and who is not with all that is seen.
      for (const { id } of [secret.badge, secret.badgeOfGroup]) await give(id, someone.id)
      await sit(secret.event.id, someone.id)
      await favor(secret.group.id, someone.id)
      for (const { id } of hiddenPeople) {
        for (const held of [badge, badgeOfGroup, secret.badge]) await give(held.id, id)
        await follow(id, someone.id)
        await follow(someone.id, id)
        await meet(someone.id, id)
        await sit(event.id, id)
        await favor(group.id, id)
      }
      dropCaches()
    },

    show: async () => {
      const seen = { profileVisibility: 'public' as const, suspendedAt: null }
      for (const { id } of hiddenPeople) await db.update(users).set(seen).where(eq(users.id, id))
      await db.update(groups).set({ isListed: true }).where(eq(groups.id, secret.group.id))
      await db
        .update(events)
        .set({ status: 'published', publishedAt: new Date() })
        .where(eq(events.id, secret.draft.id))
      await db.update(badges).set({ hidden: false }).where(eq(badges.id, secret.badge.id))
      dropCaches()
    },
  }
}
