import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import { advanceClock } from '@/core/clock'
import { db } from '@/db/client'
import { personalTokens, sessions } from '@/db/tables/credentials'
import { uploads } from '@/db/tables/uploads'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { storage } from '@/outbound/storage/current'
import { broadcast } from '@/outbox/broadcast'
import { apiUrl, call, del, get, post } from '../../../support/api'
import { startUploadChecks } from '../../../support/lanes'
import { makeSession, makeToken, makeUser } from '../../../support/make'
import { until } from '../../../support/processes'
import { silenceCommits } from '../../../support/silent-commits'
import { ask, asPng, makeUploader, png, send } from '../../../support/uploads'
import { usualDeadlines } from '../../../support/usual-deadlines'

let checks: ReturnType<typeof startUploadChecks>
beforeAll(() => {
  checks = startUploadChecks()
})
afterAll(() => checks.stop())

const TYPE = { 'content-type': 'image/png' }
const bytes = png()

/** A body of unknown length. */
const inTwo = () =>
  new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 10))
      await Bun.sleep(1)
      controller.enqueue(bytes.slice(10))
      controller.close()
    },
  })

async function asked() {
  const caller = await makeUploader()
  return { ...caller, ...(await ask(caller.token, asPng(bytes))) }
}

const stateOf = async (key: string) =>
  (await db.select({ state: uploads.state }).from(uploads).where(eq(uploads.key, key)))[0]?.state

/** Objects and scratch files that a refused attempt may have left. */
async function leftBehind() {
  const names: string[] = []
  for await (const { name } of storage.list('incoming/')) names.push(name)
  const scratch = await storage.leftovers(new Date(Date.now() + 60_000))
  return names.length + scratch.length
}

/** Sends the first bytes, over a socket of its own. */
function beginToSend(uploadUrl: string) {
  const { hostname, port } = new URL(apiUrl())
  const { promise: answer, resolve } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname).on('data', (chunk) => resolve(String(chunk)))
  socket.write(
    `PUT ${new URL(uploadUrl).pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\nContent-Length: ${bytes.byteLength}\r\n\r\n`,
  )
  socket.write(bytes.slice(0, 20))
  return { socket, answer }
}

describe('an address takes exactly what was declared', () => {
  const cases: [
    string,
    () => { body?: Uint8Array<ArrayBuffer> | ReadableStream; headers?: Record<string, string> },
  ][] = [
    ['another type', () => ({ headers: { 'content-type': 'image/jpeg' } })],
    ['no type', () => ({ headers: {} })],
    ['a type with a parameter', () => ({ headers: { 'content-type': 'image/png; charset=utf-8' } })],
    ['fewer bytes', () => ({ body: bytes.slice(0, -1) })],
    ['more bytes', () => ({ body: new Uint8Array([...bytes, 0]) })],
    ['no bytes', () => ({ body: new Uint8Array() })],
    ['chunks without a length', () => ({ body: inTwo() })],
    ['an encoding', () => ({ headers: { ...TYPE, 'content-encoding': 'gzip' } })],
  ]
  test.each(cases)('%s: 400, and the address can still be used', async (_, make) => {
    const { uploadUrl, key } = await asked()
    const before = await leftBehind()
    const { body = bytes, headers = TYPE } = make()
    const refused = await send(uploadUrl, body, headers)
    expect([refused.status, refused.body.code]).toEqual([400, 'bad_request'])
    // Before a byte of it was written.
    expect(refused.body.error).toMatch(/declared|as it is/)
    expect(await stateOf(key)).toBe('requested')
    expect(await leftBehind()).toBe(before)
    expect((await send(uploadUrl, bytes)).status).toBe(200)
  })

  test.each(['GET', 'POST', 'PATCH', 'DELETE'])('%s is not PUT', async (method) => {
    const { uploadUrl, key } = await asked()
    const { status } = await call(method, new URL(uploadUrl).pathname, {
      ...(method !== 'GET' && { body: bytes }),
      headers: TYPE,
    })
    expect([status, await stateOf(key)]).toEqual([404, 'requested'])
  })

  test('any changed bit makes it invalid', async () => {
    const { uploadUrl, key } = await asked()
    const path = new URL(uploadUrl).pathname
    const start = '/uploads/'.length
    const answers = new Set<number>()
    for (let place = start; place < path.length; place += 1)
      for (const letter of ['A', 'b', '_', '=', '.']) {
        if (path[place] === letter) continue
        const changed = path.slice(0, place) + letter + path.slice(place + 1)
        answers.add((await call('PUT', changed, { body: 'x', headers: TYPE })).status)
      }
    expect([...answers]).toEqual([404])
    expect(await stateOf(key)).toBe('requested')
  })

  test('one of two addresses does not become the other by swapping halves', async () => {
    const [one, two] = [await asked(), await asked()]
    const half = (url: string, n: number) => url.split('/').at(-1)?.split('.')[n]
    const mixed = `http://localhost/uploads/${half(one.uploadUrl, 0)}.${half(two.uploadUrl, 1)}`
    expect((await send(mixed, bytes)).status).toBe(404)
  })
})

describe('an address ends', () => {
  const GONE = [410, 'gone']
  const outcome = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.code]

  test('with its use', async () => {
    const { uploadUrl } = await asked()
    expect((await send(uploadUrl, bytes)).status).toBe(200)
    expect(outcome(await send(uploadUrl, png(40, 30, [1, 2, 3])))).toEqual(GONE)
  })

  test('not for the same bytes again: their answer may have been lost', async () => {
    using _ = usualDeadlines()
    const { uploadUrl, key, token } = await asked()
    const before = await leftBehind()
    const { answer } = await silenceCommits('uploads')
    const lost = send(uploadUrl, bytes)
    expect((await lost).status).toBe(503)
    await answer()
    const again = await send(uploadUrl, bytes)
    expect([again.status, again.body.data.key]).toEqual([200, key])
    expect(await send(uploadUrl, bytes)).toEqual(again)
    expect((await get('/v1/uploads', { token })).body.data).toEqual([again.body.data])
    expect(await leftBehind()).toBe(before)
    await del(`/v1/uploads/${key}`, { token })
    expect(outcome(await send(uploadUrl, bytes))).toEqual(GONE)
  })

  test('with the deletion of the record', async () => {
    const { uploadUrl, key, token } = await asked()
    expect((await del(`/v1/uploads/${key}`, { token })).status).toBe(200)
    expect(outcome(await send(uploadUrl, bytes))).toEqual(GONE)
  })

  test('with the token that asked for it', async () => {
    const { uploadUrl, id } = await asked()
    await db.delete(personalTokens).where(eq(personalTokens.id, id))
    expect(outcome(await send(uploadUrl, bytes))).toEqual(GONE)
  })

  test('with the suspension of its owner', async () => {
    const { uploadUrl, user } = await asked()
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, user.id))
    expect(outcome(await send(uploadUrl, bytes))).toEqual(GONE)
  })

  test('with the session that asked for it', async () => {
    const user = await makeUser()
    const session = await makeSession(user.id)
    const json = asPng(bytes)
    const kept = (await post('/v1/uploads/request', { session, json })).body.data
    const lost = (await post('/v1/uploads/request', { session, json })).body.data
    expect((await send(kept.uploadUrl, bytes)).status).toBe(200)
    await db.delete(sessions).where(eq(sessions.userId, user.id))
    expect(outcome(await send(lost.uploadUrl, bytes))).toEqual(GONE)
  })

  test('when the time of the token that asked for it is up', async () => {
    const user = await makeUser()
    const expiresAt = new Date(Date.now() + 60_000)
    const { token } = await makeToken(user.id, ['write:uploads'], { expiresAt })
    const { uploadUrl } = await ask(token, asPng(bytes))
    try {
      advanceClock(61_000)
      expect(outcome(await send(uploadUrl, bytes))).toEqual(GONE)
    } finally {
      advanceClock(-61_000)
    }
  })

  test.each([
    ['its token is revoked', (id: string) => db.delete(personalTokens).where(eq(personalTokens.id, id))],
    [
      'its owner is suspended',
      (_: string, userId: string) =>
        db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, userId)),
    ],
  ])('while the file is on its way, when %s', async (_, end) => {
    const { uploadUrl, key, id, user } = await asked()
    const before = await leftBehind()
    const { socket, answer } = beginToSend(uploadUrl)
    await until('the file is being written', async () => (await leftBehind()) > before)
    await end(id, user.id)
    socket.write(bytes.slice(20))
    expect(await answer).toStartWith('HTTP/1.1 410')
    socket.destroy()
    expect(await stateOf(key)).toBe('requested')
    expect(await leftBehind()).toBe(before)
  })

  test('after 15 minutes, and not before', async () => {
    const [early, late] = [await asked(), await asked()]
    try {
      advanceClock(15 * 60_000 - 5000)
      expect((await send(early.uploadUrl, bytes)).status).toBe(200)
      advanceClock(5000)
      expect(outcome(await send(late.uploadUrl, bytes))).toEqual(GONE)
    } finally {
      advanceClock(-15 * 60_000)
    }
  })
})

test('two who send at once: one file, and nothing is left of the other', async () => {
  const { uploadUrl, token } = await asked()
  const before = await leftBehind()
  const colours = Array.from({ length: 8 }, (_, index) => png(40, 30, [index, 0, 0]))
  const answers = await Promise.all(colours.map((file) => send(uploadUrl, file)))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.every((status) => [200, 409, 410].includes(status))).toBe(true)
  expect((await get('/v1/uploads', { token })).body.data).toHaveLength(1)
  expect(await leftBehind()).toBe(before)
})

test('a sender who goes away half-way leaves nothing, and may begin again', async () => {
  const { uploadUrl, key } = await asked()
  const before = await leftBehind()
  const { socket } = beginToSend(uploadUrl)
  await until('the file is being written', async () => (await leftBehind()) > before)
  socket.destroy()
  await until('the half is gone', async () => (await leftBehind()) === before)
  expect(await stateOf(key)).toBe('requested')
  expect((await send(uploadUrl, bytes)).status).toBe(200)
})

test('a page of any origin may send, and reads the answer', async () => {
  const { uploadUrl } = await asked()
  const path = new URL(uploadUrl).pathname
  const origin = 'https://elsewhere.example'
  const preflight = await call('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type')
  const sent = await call('PUT', path, { body: bytes, headers: { ...TYPE, origin } })
  expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
})

test('a sender whose file is still unchecked after the wait gets a Retry-After', async () => {
  await checks.stop()
  const { uploadUrl, key } = await asked()
  const sent = call('PUT', new URL(uploadUrl).pathname, { body: bytes, headers: TYPE })
  await until('it has come', async () => (await stateOf(key)) === 'received')
  // Ends the wait at once, while the row says what it says after eight seconds.
  await transaction(async (tx) => broadcast(tx, { type: 'upload.refused', data: { key } }))
  const { status, headers, body } = await sent
  expect([status, headers.get('retry-after'), body.data.key]).toEqual([202, '2', key])
})
