import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { config } from '@/config/config'
import { checkedSecret, isCheckedSecret } from '@/core/codes'
import { isAppError } from '@/core/errors'
import { newId } from '@/core/ids'
import { db, statementCount } from '@/db/client'
import { feedTokens } from '@/db/tables/feeds'
import { outbox } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { ownerOfFeedToken } from '@/modules/access/feed-tokens/cache'
import { isConnected } from '@/outbox/bus'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeSession, makeToken } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { startServer, until } from '../../../support/processes'
import { statementsOf } from '../../../support/statements'
import { makeClient, makeTokens } from '../oauth/fixtures'

const PATH = '/v1/profile/feed-token'
const ROTATE = `${PATH}/rotate`

const read = async (token: string): Promise<string> => (await get(PATH, { token })).body.data.feedToken
const rotate = async (token: string): Promise<string> => (await post(ROTATE, { token })).body.data.feedToken
const ownerOf = async (feedToken: string) => (await ownerOfFeedToken(feedToken))?.userId

const rowsOf = (userId: string) => db.select().from(feedTokens).where(eq(feedTokens.userId, userId))

const rotations = async (userId: string) =>
  (await db.select().from(outbox).where(eq(outbox.type, 'feed_token.rotated'))).filter(
    ({ payload }) => (payload as { userId: string }).userId === userId,
  )

/** Asked twice, so that it is kept, unless nothing is kept at the moment. */
async function keep(feedToken: string) {
  await until('the notify channel is open', isConnected)
  await ownerOf(feedToken)
  expect(ownerOfFeedToken(feedToken)).not.toBeInstanceOf(Promise)
}

test('the token is made on the first read, and is the same on every later one', async () => {
  const { user, token } = await makeCaller()
  const first = await get(PATH, { token })
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(Object.keys(first.body.data)).toEqual(['feedToken'])
  const { feedToken } = first.body.data
  expect(isCheckedSecret('fm_feed_', feedToken)).toBe(true)
  expect(await read(token)).toBe(feedToken)
  expect((await get(PATH, { session: await makeSession(user.id) })).body.data.feedToken).toBe(feedToken)
  expect(await ownerOf(feedToken)).toBe(user.id)
  expect(await rotations(user.id)).toEqual([])
})

test("reading and rotating need the scope user and apply to the caller's own token", async () => {
  const [mine, theirs] = [await makeCaller(), await makeCaller()]
  expect(await read(mine.token)).not.toBe(await read(theirs.token))
  const { token: weak } = await makeToken(mine.user.id, ['read:user', 'read:events'])
  expect((await get(PATH, { token: weak })).body.code).toBe('insufficient_scope')
  expect((await post(ROTATE, { token: weak })).body.code).toBe('insufficient_scope')
  expect([(await get(PATH)).status, (await post(ROTATE)).status]).toEqual([401, 401])
})

test('rotating invalidates the old token at once and emits a domain event without the token', async () => {
  const { user, token } = await makeCaller()
  const old = await read(token)
  const [before] = await rowsOf(user.id)
  await keep(old)
  const fresh = await rotate(token)
  expect(fresh).not.toBe(old)
  expect(ownerOfFeedToken(fresh)).toBeInstanceOf(Promise)
  expect([await ownerOf(old), await ownerOf(fresh)]).toEqual([undefined, user.id])
  expect(await read(token)).toBe(fresh)
  const [after] = await rowsOf(user.id)
  expect(after?.id).not.toBe(before?.id as string)
  expect((await ownerOfFeedToken(fresh))?.tokenId).toBe(after?.id as string)
  const events = await rotations(user.id)
  expect(events.map(({ payload }) => payload)).toEqual([{ userId: user.id }])
})

test('rotating before anything was read makes the first one, and ends nothing', async () => {
  const { user, token } = await makeCaller()
  const made = await rotate(token)
  expect(await read(token)).toBe(made)
  expect(await rotations(user.id)).toEqual([])
})

test('a repeated rotation with the same key is not answered with the secret again', async () => {
  const { token } = await makeCaller()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const first = await post(ROTATE, { token, headers })
  const again = await post(ROTATE, { token, headers })
  expect([first.status, again.status]).toEqual([200, 409])
  expect(await read(token)).toBe(first.body.data.feedToken)
})

test('first reads at once make one token, and reads during rotations see one that was true', async () => {
  const { user, token } = await makeCaller()
  const first = await Promise.all(Array.from({ length: 20 }, () => get(PATH, { token })))
  expect(first.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(first.map(({ body }) => body.data.feedToken)).size).toBe(1)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? get(PATH, { token }) : post(ROTATE, { token }))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const rotated = answers.filter((_, i) => i % 2 === 0).map(({ body }) => body.data.feedToken)
  expect(new Set(rotated).size).toBe(10)
  const known = new Set([first[0]?.body.data.feedToken, ...rotated])
  for (const { body } of answers) expect(known.has(body.data.feedToken)).toBe(true)
  const last = await read(token)
  expect(await rowsOf(user.id)).toHaveLength(1)
  for (const feedToken of known)
    expect([feedToken, await ownerOf(feedToken)]).toEqual([
      feedToken,
      feedToken === last ? user.id : undefined,
    ])
  expect(await rotations(user.id)).toHaveLength(10)
})

test('two processes that are asked at once make one token, and a rotation reaches the other one', async () => {
  const other = await startServer({
    DATABASE_URL: process.env.DATABASE_URL as string,
    SECRET_KEY: config.secretKey,
    FOLKMOOT_MODE: 'test',
  })
  try {
    for (let round = 0; round < 5; round += 1) {
      const { user, token } = await makeCaller()
      const answers = await Promise.all([get(PATH, { token }), get(PATH, { token, base: other.url })])
      const [here, there] = answers.map(({ body }) => body.data.feedToken)
      expect(there).toBe(here)
      await keep(here)
      const fresh = (await post(ROTATE, { token, base: other.url })).body.data.feedToken
      await until('this process knows', async () => (await ownerOf(here)) === undefined, 1000)
      expect([await read(token), await ownerOf(fresh)]).toEqual([fresh, user.id])
    }
  } finally {
    await other.stop('SIGKILL')
  }
})

test('a row that vanishes without a domain event is still kept: it is the domain event that ends it', async () => {
  const { user, token } = await makeCaller()
  const feedToken = await read(token)
  await keep(feedToken)
  await db.delete(feedTokens).where(eq(feedTokens.userId, user.id))
  expect(await ownerOf(feedToken)).toBe(user.id)
})

test('a suspended person has no feed until the suspension ends', async () => {
  const [admin, { user, token }] = [await makeAdmin(), await makeCaller()]
  const feedToken = await read(token)
  await keep(feedToken)
  const suspend = (suspended: boolean) =>
    patch(`/v1/admin/users/${user.id}`, { token: admin.token, json: { suspended } })
  expect((await suspend(true)).status).toBe(200)
  expect(await ownerOf(feedToken)).toBeUndefined()
  expect((await suspend(false)).status).toBe(200)
  expect(await ownerOf(feedToken)).toBe(user.id)
})

test('a deleted person never has a feed again', async () => {
  const { user } = await makeCaller()
  const session = await makeSession(user.id)
  const feedToken = (await get(PATH, { session })).body.data.feedToken
  await keep(feedToken)
  const gone = await del(`/v1/profile?confirm=${user.username}`, { session })
  expect(gone.status).toBe(200)
  expect(await ownerOf(feedToken)).toBeUndefined()
  expect(await rowsOf(user.id)).toEqual([])
})

test('a person who is deleted during the request gets 401, not a server error', async () => {
  const { user, token } = await makeCaller()
  const answer = await meanwhile(
    (tx) => tx.delete(users).where(eq(users.id, user.id)),
    () => get(PATH, { token }),
  )
  expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized'])
})

test('an application that may, reads it, and knows it until it is rotated', async () => {
  const client = await makeClient()
  const { access } = await makeTokens(client, { scope: 'user' })
  const feedToken = await read(access)
  const userId = (await ownerOf(feedToken)) as string
  const { token } = await makeToken(userId, ['user'])
  const [grant] = (await get('/v1/profile/grants', { token })).body.data
  expect((await del(`/v1/profile/grants/${grant.grantId}`, { token })).status).toBe(200)
  expect((await get(PATH, { token: access })).status).toBe(401)
  expect(await ownerOf(feedToken)).toBe(userId)
  await rotate(token)
  expect(await ownerOf(feedToken)).toBeUndefined()
})

test('a token that was sealed with another key is replaced', async () => {
  const { user, token } = await makeCaller()
  const feedToken = await read(token)
  await keep(feedToken)
  await db
    .update(feedTokens)
    .set({ sealed: randomBytes(76) })
    .where(eq(feedTokens.userId, user.id))
  const answers = await Promise.all([get(PATH, { token }), get(PATH, { token }), get(PATH, { token })])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.data.feedToken)).size).toBe(1)
  expect(await ownerOf(feedToken)).toBeUndefined()
  expect(await ownerOf(answers[0]?.body.data.feedToken)).toBe(user.id)
  expect(await rotations(user.id)).toHaveLength(1)
})

test('a sealed token that is put into the row of another person does not open there', async () => {
  const [mine, theirs] = [await makeCaller(), await makeCaller()]
  const [secret] = [await read(theirs.token), await read(mine.token)]
  const [{ sealed } = { sealed: new Uint8Array() }] = await rowsOf(theirs.user.id)
  await db.update(feedTokens).set({ sealed }).where(eq(feedTokens.userId, mine.user.id))
  expect(await read(mine.token)).not.toBe(secret)
})

test('a known token costs no statement, and neither do ten thousand that cannot be one', async () => {
  const { token } = await makeCaller()
  const feedToken = await read(token)
  await keep(feedToken)
  expect(await statementsOf(async () => ownerOfFeedToken(feedToken))).toBe(0)
  const invented = Array.from({ length: 10_000 }, (_, i) =>
    i % 2 ? `fm_feed_${randomBytes(20).toString('hex')}` : `${feedToken.slice(0, -9)}${i}`,
  )
  const before = statementCount()
  for (const garbage of [...invented, '', 'fm_feed_', feedToken.toUpperCase(), `${feedToken} `, newId()])
    expect(ownerOfFeedToken(garbage)).toBeNull()
  expect(statementCount() - before).toBe(0)
})

test('a crowd of invented tokens queues up without blocking known ones', async () => {
  const { user, token } = await makeCaller()
  const feedToken = await read(token)
  await keep(feedToken)
  const before = statementCount()
  const crowd = Array.from({ length: 2000 }, async () => ownerOfFeedToken(checkedSecret('fm_feed_')))
  // Those who wait have asked nothing yet.
  expect(statementCount() - before).toBeLessThanOrEqual(4)
  expect(ownerOfFeedToken(feedToken)).toMatchObject({ userId: user.id })
  const outcomes = await Promise.allSettled(crowd)
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  expect(refusals.length).toBeGreaterThan(1000)
  for (const error of refusals) expect(isAppError(error) && error.appCode).toBe('unavailable')
  expect(await ownerOf(await rotate(token))).toBe(user.id)
})
