import { describe, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { newId } from '@/core/ids'
import type { Scope } from '@/core/scopes'
import { db, insideTransaction } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { webhookPastRules } from '@/db/tables/webhooks'
import { transaction } from '@/db/transaction'
import { deletePastRules } from '@/modules/developers/webhooks/fan-out/queries'
import { emit } from '@/outbox/emit'
import { del, patch, post } from '../../../support/api'
import { tellWebhooks } from '../../../support/deliveries'
import { makeAdmin, makeCaller, makeEvent, makeGroup, makeMember, makeToken } from '../../../support/make'
import { later } from '../../../support/time'
import { messagesOf } from './fixtures'

// Nothing is sent here: what is looked at is what was written down for sending.
const URL = 'http://127.0.0.1:1/hook'

async function listen(token: string, eventTypes?: string[]): Promise<string> {
  const made = await post('/v1/developer/webhooks', {
    token,
    json: { url: URL, ...(eventTypes && { eventTypes }) },
  })
  expect(made.status).toBe(201)
  return made.body.data.id
}

const heard = async (webhookId: string) => {
  await tellWebhooks()
  return (await messagesOf(webhookId)).map(({ eventType }) => eventType).sort()
}

const EVERYTHING: Scope[] = [
  'user',
  'read:events',
  'read:groups',
  'read:favorites',
  'manage:groups',
  'manage:events',
  'manage:checkins',
  'developer',
]

const rsvp = (groupId: string, eventId: string, userId: string) =>
  transaction((tx) => emit(tx, 'rsvp.confirmed', { rsvpId: newId(), eventId, groupId, userId }))

describe('who hears what', () => {
  test('the owner hears of themselves, their group of its guests, strangers of neither', async () => {
    const [guest, owner, manager, volunteer, stranger] = await Promise.all(
      Array.from({ length: 5 }, () => makeCaller(EVERYTHING)),
    )
    if (!guest || !owner || !manager || !volunteer || !stranger) throw new Error('nobody came')
    const group = await makeGroup({}, owner.user.id)
    await makeMember(group.id, manager.user.id, 'manager')
    await makeMember(group.id, volunteer.user.id, 'volunteer')
    const event = await makeEvent(group.id)
    const hooks = await Promise.all(
      [guest, owner, manager, volunteer, stranger].map(({ token }) => listen(token, ['rsvp.*'])),
    )
    await rsvp(group.id, event.id, guest.user.id)
    const told = []
    for (const hook of hooks) told.push((await heard(hook)).length)
    expect(told).toEqual([1, 1, 1, 0, 0])
  })

  test('whoever deletes a group hears of it, though nobody runs it any more', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const group = await makeGroup()
    await makeMember(group.id, user.id, 'owner')
    const hook = await listen(token, ['group.deleted'])
    const gone = await del(`/v1/manage/groups/${group.id}?confirm=${group.urlname}`, { token })
    expect(gone.status).toBe(204)
    expect(await heard(hook)).toEqual(['group.deleted'])
  })

  test('both sides hear of a follow', async () => {
    const [one, other] = [await makeCaller(EVERYTHING), await makeCaller(EVERYTHING)]
    const hooks = [await listen(one.token), await listen(other.token)]
    await post(`/v1/users/${other.user.username}/follow`, { token: one.token })
    for (const hook of hooks) expect(await heard(hook)).toEqual(['user.followed'])
  })

  test('everyone hears of published events of listed groups, nobody of drafts or unlisted groups', async () => {
    const stranger = await makeCaller(EVERYTHING)
    const hook = await listen(stranger.token, ['event.*'])
    const [listed, unlisted] = [await makeGroup(), await makeGroup({ isListed: false })]
    const shown = await makeEvent(listed.id)
    const draft = await makeEvent(listed.id, { status: 'draft' })
    const secret = await makeEvent(unlisted.id)
    await transaction(async (tx) => {
      for (const event of [shown, draft, secret]) {
        const about = { eventId: event.id, groupId: event.groupId }
        await emit(tx, 'event.updated', { ...about, fields: ['title'] })
        await emit(tx, 'event.created', { ...about, userId: newId() })
      }
    })
    expect(await heard(hook)).toEqual(['event.updated'])
  })

  test('an administrator hears all, only with the scope, and only while one', async () => {
    const { user, token } = await makeCaller(['admin', 'developer'], { role: 'admin' })
    const { token: modest } = await makeToken(user.id, ['developer', 'user'])
    const [all, own] = [await listen(token, ['user.*']), await listen(modest, ['user.*'])]
    const someone = await makeCaller(['user'])
    await patch('/v1/profile', { token: someone.token, json: { bio: 'x' } })
    expect([await heard(all), await heard(own)]).toEqual([['user.updated'], []])
    // Somebody else stays in office.
    await makeAdmin()
    await db.update(users).set({ role: 'user' }).where(eq(users.id, user.id))
    await patch('/v1/profile', { token: someone.token, json: { bio: 'y' } })
    expect(await heard(all)).toEqual(['user.updated'])
  })

  test('nothing beyond the scopes of the credential that made it', async () => {
    const { user } = await makeCaller()
    const { token: narrow } = await makeToken(user.id, ['developer'])
    const { token: wide } = await makeToken(user.id, ['developer', 'read:events', 'read:user'])
    const [deaf, hears] = [await listen(narrow), await listen(wide)]
    const event = await makeEvent((await makeGroup()).id)
    await rsvp(event.groupId, event.id, user.id)
    expect([await heard(deaf), await heard(hears)]).toEqual([[], ['rsvp.confirmed']])
  })

  test('the names that were asked for: exact, by prefix, all, and none that does not exist', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const asked = [
      ['rsvp.confirmed'],
      ['rsvp.*'],
      ['*'],
      ['rsvp'],
      ['rsvp.con*'],
      ['no.such.thing'],
      ['checkin.*', 'rsvp.confirmed'],
    ]
    const hooks = []
    for (const types of asked) hooks.push(await listen(token, types))
    const event = await makeEvent((await makeGroup()).id)
    await rsvp(event.groupId, event.id, user.id)
    const told = []
    for (const hook of hooks) told.push((await heard(hook)).length)
    expect(told).toEqual([1, 1, 1, 0, 0, 0, 1])
  })

  test('neither one that is switched off nor one of somebody who is suspended', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const [off, on] = [await listen(token), await listen(token)]
    await patch(`/v1/developer/webhooks/${off}`, { token, json: { isActive: false } })
    const event = await makeEvent((await makeGroup()).id)
    await rsvp(event.groupId, event.id, user.id)
    expect([await heard(off), await heard(on)]).toEqual([[], ['rsvp.confirmed']])
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, user.id))
    await rsvp(event.groupId, event.id, user.id)
    expect(await heard(on)).toEqual(['rsvp.confirmed'])
  })

  test('a change of the webhook holds for what happens after it', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const hook = await listen(token, ['rsvp.*'])
    const event = await makeEvent((await makeGroup()).id)
    await rsvp(event.groupId, event.id, user.id)
    // The domain event has not been taken up yet when the webhook stops listening.
    await patch(`/v1/developer/webhooks/${hook}`, { token, json: { eventTypes: ['checkin.*'] } })
    await rsvp(event.groupId, event.id, user.id)
    expect(await heard(hook)).toEqual(['rsvp.confirmed'])
  })

  test('a webhook hears nothing of what happened before it was made, or asked for it, or was switched on', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const event = await makeEvent((await makeGroup()).id)
    const asked = await listen(token, ['checkin.*'])
    const off = await listen(token)
    await patch(`/v1/developer/webhooks/${off}`, { token, json: { isActive: false } })
    // None of these has been taken up yet.
    await rsvp(event.groupId, event.id, user.id)
    const made = await listen(token)
    await patch(`/v1/developer/webhooks/${asked}`, { token, json: { eventTypes: ['rsvp.*'] } })
    await patch(`/v1/developer/webhooks/${off}`, { token, json: { isActive: true } })
    for (const hook of [made, asked, off]) expect(await heard(hook)).toEqual([])
    await rsvp(event.groupId, event.id, user.id)
    for (const hook of [made, asked, off]) expect(await heard(hook)).toEqual(['rsvp.confirmed'])
    const past = () => db.$count(webhookPastRules, inArray(webhookPastRules.webhookId, [made, asked, off]))
    expect(await past()).toBeGreaterThan(0)
    await deletePastRules(db)
    expect(await past()).toBe(0)
  })

  test('what is still going on when a webhook changes is heard by its new rule', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const event = await makeEvent((await makeGroup()).id)
    const hook = await listen(token, ['rsvp.confirmed'])
    await transaction(async (tx) => {
      const about = { rsvpId: newId(), eventId: event.id, groupId: event.groupId, userId: user.id }
      await emit(tx, 'rsvp.confirmed', about)
      await emit(tx, 'rsvp.cancelled', about)
      await insideTransaction.exit(() =>
        patch(`/v1/developer/webhooks/${hook}`, { token, json: { eventTypes: ['rsvp.*'] } }),
      )
    })
    expect(await heard(hook)).toEqual(['rsvp.cancelled', 'rsvp.confirmed'])
  })

  test('a domain event that cannot be told keeps none of the others waiting, and is told once it can be', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const hook = await listen(token, ['user.updated'])
    const id = newId()
    const about = { fields: ['bio'] }
    await db
      .insert(outbox)
      .values({ id, type: 'user.updated', payload: { ...about, userId: 'nobody' }, createdAt: new Date(0) })
    await patch('/v1/profile', { token, json: { bio: 'x' } })
    expect(await heard(hook)).toEqual(['user.updated'])
    const [waiting] = await db.select().from(outbox).where(eq(outbox.id, id))
    expect(waiting).toMatchObject({ relayedAt: null, tries: 1, retryAt: expect.any(Date) })
    await db
      .update(outbox)
      .set({ payload: { ...about, userId: user.id } })
      .where(eq(outbox.id, id))
    expect(await heard(hook)).toEqual(['user.updated'])
    expect(await later(2000, () => heard(hook))).toEqual(['user.updated', 'user.updated'])
  })

  test('a domain event of a type that we do not know is left to a worker that does', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const hook = await listen(token)
    const id = newId()
    await db.insert(outbox).values({ id, type: 'user.transported', payload: { userId: user.id } })
    await patch('/v1/profile', { token, json: { bio: 'x' } })
    expect(await heard(hook)).toEqual(['user.updated'])
    const [left] = await db.select().from(outbox).where(eq(outbox.id, id))
    expect(left).toMatchObject({ relayedAt: null, tries: 0 })
    await db.delete(outbox).where(eq(outbox.id, id))
  })

  test('each domain event is told by the rule that held when it happened, however often that changed meanwhile', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const event = await makeEvent((await makeGroup()).id)
    const stranger = await makeCaller(EVERYTHING)
    const [hook, publicHook] = [await listen(token, ['rsvp.*']), await listen(stranger.token, ['event.*'])]
    const both = async () => {
      await rsvp(event.groupId, event.id, user.id)
      await transaction(async (tx) => {
        await emit(tx, 'user.updated', { userId: user.id, fields: ['bio'] })
        await emit(tx, 'event.updated', { eventId: event.id, groupId: event.groupId, fields: ['title'] })
      })
    }
    const change = (json: object) => patch(`/v1/developer/webhooks/${hook}`, { token, json })
    await both()
    await change({ eventTypes: ['user.*'] })
    await patch(`/v1/developer/webhooks/${publicHook}`, { token: stranger.token, json: { isActive: false } })
    await both()
    await change({ isActive: false })
    await both()
    await change({ eventTypes: ['rsvp.*', 'user.*'] })
    await both()
    await change({ isActive: true })
    await both()
    expect(await heard(hook)).toEqual(['rsvp.confirmed', 'rsvp.confirmed', 'user.updated', 'user.updated'])
    expect(await heard(publicHook)).toEqual(['event.updated'])
  })

  test('a domain event is told once, however often it is taken up', async () => {
    const { user, token } = await makeCaller(EVERYTHING)
    const hook = await listen(token)
    const event = await makeEvent((await makeGroup()).id)
    await rsvp(event.groupId, event.id, user.id)
    await Promise.all([tellWebhooks(), tellWebhooks(), tellWebhooks()])
    expect(await heard(hook)).toEqual(['rsvp.confirmed'])
  })
})
