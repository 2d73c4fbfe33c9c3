import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, isNotNull, ne, sql } from 'drizzle-orm'
import { jobs, letters } from '@/areas'
import { db } from '@/db/client'
import { rsvps } from '@/db/tables/events'
import { endedGroups, favorites, groups } from '@/db/tables/groups'
import { jobs as jobRows } from '@/db/tables/jobs'
import { mailSwitches, mails } from '@/db/tables/mails'
import { reactions } from '@/db/tables/outbox'
import { webhooks } from '@/db/tables/webhooks'
import { transaction } from '@/db/transaction'
import { openJobs } from '@/jobs/backend'
import { post as mail } from '@/mail/post'
import { weeklyDigestLetter } from '@/modules/account/digest/area'
import { eventReminderLetter } from '@/modules/gatherings/notices/reminder'
import { award } from '@/modules/recognition/badges/award'
import { emit } from '@/outbox/emit'
import { makeClient, makeTokens } from '../modules/access/oauth/fixtures'
import { ask as askToSignIn, newAddress } from '../modules/access/sign-in/fixtures'
import { makeRequest } from '../modules/community/group-claims/fixtures'
import { makeListening } from '../modules/developers/webhooks/fixtures'
import { makeRsvp, makeStaffedEvent } from '../modules/gatherings/checkins/fixtures'
import { makeGuest, stage } from '../modules/gatherings/notices/fixtures'
import { get, post } from '../support/api'
import { type MailServer, startMailServer } from '../support/mail-server'
import {
  makeAdmin,
  makeBadge,
  makeCaller,
  makeEvent,
  makeGroup,
  makeSession,
  makeUser,
} from '../support/make'
import { startWorker, until } from '../support/processes'
import { inHours } from '../support/time'
import { ask as askForUpload, asPng, makeUploader, png, send } from '../support/uploads'

const databaseUrl = process.env.DATABASE_URL as string
let smtp: MailServer
let worker: ReturnType<typeof startWorker>

const opened = openJobs({ redisUrl: null, databaseUrl })
const queue = () => opened.queue('schedules')

beforeAll(async () => {
  smtp = await startMailServer()
  // Schedules run at once where there were none.
  for (const { key } of await queue().getJobSchedulers()) await queue().removeJobScheduler(key)
  await db.update(reactions).set({ lastError: null })
})
afterAll(async () => {
  await worker?.stop('SIGKILL')
  await opened.close()
  await smtp.stop()
})

/** A process of its own imports no Elysia, so it shows what only works beside the API. */
const begin = () => {
  worker = startWorker({
    DATABASE_URL: databaseUrl,
    FOLKMOOT_MODE: 'test',
    LOG_LEVEL: 'warn',
    BASE_URL: process.env.BASE_URL as string,
    SECRET_KEY: process.env.SECRET_KEY as string,
    SMTP_URL: smtp.url,
  })
}

async function accountLetters() {
  const { user, token } = await makeCaller(['user', 'developer'])
  const session = await makeSession(user.id)
  await askToSignIn(newAddress())
  await post('/v1/profile/tokens', { session, json: { name: 'Backup', scopes: ['read:user'] } })
  await post('/v1/profile/email', { session, json: { email: newAddress() } })
  const redirectUris = ['https://door.example/back']
  await post('/v1/developer/apps', { token, json: { name: 'Door bell', redirectUris } })
  await makeTokens(await makeClient(), { session, scope: 'read:events' })
  const { id: webhookId, user: owner } = await makeListening('https://hook.example/')
  await db.update(webhooks).set({ isActive: false }).where(eq(webhooks.id, webhookId))
  await transaction((tx) => emit(tx, 'webhook.disabled', { webhookId, userId: owner.id, reason: 'gone' }))
  const request = await makeRequest((await makeGroup()).id, user.id)
  await post(`/v1/admin/group-claims/${request.id}/approve`, { token: (await makeAdmin()).token })
  await post(`/v1/users/${user.username}/follow`, { token: (await makeCaller()).token })
  const badge = await makeBadge()
  await transaction((tx) => award(tx, badge, user.id, 'admin'))
}

async function eventLetters() {
  const { event, change, group } = await stage({ event: { maxAttendees: 1 } })
  const [first, second] = [await makeGuest(event.id), await makeGuest(event.id)]
  for (const { rsvp } of [first, second]) await rsvp()
  // Its confirmation letter may not have gone yet; an old answer is supposed to have an entry in a calendar.
  await db
    .update(rsvps)
    .set({ rsvpAt: inHours(-24 * 40) })
    .where(eq(rsvps.userId, first.user.id))
  await first.giveUp()
  await change({ startTime: inHours(90).toISOString(), endTime: inHours(91).toISOString() })
  const other = await stage()
  await (await makeGuest(other.event.id)).rsvp()
  await other.cancel()
  await (await makeGuest((await stage()).event.id)).rsvp()
  const reader = await makeUser()
  await db.insert(mailSwitches).values({ userId: reader.id, kind: 'weeklyDigest', isOn: true })
  await db.insert(favorites).values({ userId: reader.id, groupId: group.id })
  await transaction((tx) => mail(tx, weeklyDigestLetter, [reader.id], { fact: 'this week', data: {} }))
  const soon = await makeEvent(group.id, { startTime: inHours(20) })
  const guest = await makeUser()
  await makeRsvp(soon.id, guest.id, { changedAt: inHours(-200) })
  const data = { eventId: soon.id, startTime: soon.startTime.toISOString() }
  await transaction((tx) =>
    mail(tx, eventReminderLetter, [guest.id], { fact: soon.id, topic: soon.id, data }),
  )
}

async function longWork() {
  const { at, volunteer, event } = await makeStaffedEvent()
  await makeRsvp(event.id, volunteer.user.id)
  const sheet = await post(`${at}/pass-sheets`, {
    token: volunteer.token,
    json: { kind: 'badges', paper: 'a4' },
  })
  const exported = await get('/v1/profile/export', { session: await makeSession(volunteer.user.id) })
  expect([sheet.status, exported.status]).toEqual([201, 200])
}

test('a worker without an API process sends every letter, does every job and runs every schedule', async () => {
  begin()
  await accountLetters()
  await eventLetters()
  await longWork()
  const bytes = png()
  const { uploadUrl } = await askForUpload((await makeUploader()).token, asPng(bytes))
  const unsent = async () => {
    await db.update(mails).set({ dueAt: new Date() }).where(sql`finished_at is null and attempts = 0`)
    const sent = await db
      .selectDistinct({ letter: mails.letter })
      .from(mails)
      .where(eq(mails.outcome, 'sent'))
    return letters.map(({ name }) => name).filter((name) => !sent.some(({ letter }) => letter === name))
  }
  await until('every letter is sent', async () => (await unsent()).length === 0, 20_000).catch(() => {})
  expect(await unsent()).toEqual([])
  expect([200, 202]).toContain((await send(uploadUrl, bytes)).status)
  const undone = () =>
    db.select({ kind: jobRows.kind, error: jobRows.error }).from(jobRows).where(ne(jobRows.status, 'done'))
  await until('all long work is done', async () => (await undone()).length === 0)
  const kinds = await db.selectDistinct({ kind: jobRows.kind }).from(jobRows)
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(jobs.map(({ name }) => name).sort())
  await until('every schedule has run', async () =>
    (await queue().getJobSchedulers()).every(({ iterationCount = 0 }) => iterationCount > 1),
  )
  expect(await queue().getJobCounts('waiting', 'active', 'failed')).toEqual({
    waiting: 0,
    active: 0,
    failed: 0,
  })
  expect(await db.$count(reactions, isNotNull(reactions.lastError))).toBe(0)
  // A sweep that fails says so, and keeps its schedule from nothing.
  expect(worker.output()).not.toContain('failed')
})

test('a worker that starts resumes interrupted work, without waiting for the schedule of sweeps', async () => {
  await worker.stop('SIGKILL')
  const { id: groupId } = await makeGroup()
  await db.insert(favorites).values({ userId: (await makeUser()).id, groupId })
  // As a process leaves it that dies after the commit: a trigger marks the group.
  await db.delete(groups).where(eq(groups.id, groupId))
  expect(await db.$count(favorites, eq(favorites.groupId, groupId))).toBe(1)
  begin()
  await until(
    'the rows of the deleted group are gone',
    async () => (await db.$count(endedGroups, eq(endedGroups.groupId, groupId))) === 0,
  )
  expect(await db.$count(favorites, eq(favorites.groupId, groupId))).toBe(0)
})
