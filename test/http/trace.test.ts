import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readTrace, traceHeaders, traceparent, tracing } from '@/core/trace'
import { boundedFetch } from '@/modules/access/sign-in/providers/client'
import { call } from '../support/api'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { openReceiver } from '../support/receiver'
import { seedPeople } from '../support/seed'

const ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${ID}-b7ad6b7169203331-01`

const given = (parent: string, state?: string) =>
  readTrace(new Headers({ traceparent: parent, ...(state !== undefined && { tracestate: state }) }))

describe('a trace context', () => {
  test('is taken as the standard says, and what is not quite one is left alone', () => {
    expect(given(PARENT)).toEqual({ id: ID, flags: '01', state: null })
    expect(given(`01-${ID}-b7ad6b7169203331-00-what-comes-later`)?.id).toBe(ID)
    for (const wrong of [
      '',
      ID,
      PARENT.toUpperCase(),
      `${PARENT}-more`,
      `ff-${ID}-b7ad6b7169203331-01`,
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-${ID}-${'0'.repeat(16)}-01`,
      `00-${ID.slice(1)}-b7ad6b7169203331-01`,
      `00-${ID}","x":"-b7ad6b7169203331-01`,
      `01-${ID}-b7ad6b7169203331-01-${'x'.repeat(500)}`,
      `${PARENT}, ${PARENT}`,
    ])
      expect([wrong, given(wrong)]).toEqual([wrong, undefined])
  })

  test('has a state that is bounded', () => {
    expect(given(PARENT, 'vendor=1,other=2')?.state).toBe('vendor=1,other=2')
    for (const wrong of ['', 'x'.repeat(513), 'vendor=é'])
      expect([wrong, given(PARENT, wrong)]).toEqual([wrong, { id: ID, flags: '01', state: null }])
  })

  test('is passed on to outgoing requests, and only then', async () => {
    const heard: Headers[] = []
    const provider = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch({ headers }) {
        heard.push(headers)
        return new Response()
      },
    })
    const ask = () => boundedFetch(provider.url, { headers: { accept: 'application/json' } })
    await tracing.run({ id: ID, flags: '01', state: 'vendor=1' }, ask)
    await ask()
    await provider.stop(true)
    expect(heard.map((headers) => headers.get('accept'))).toEqual(['application/json', 'application/json'])
    expect(heard[0]?.get('traceparent')).toMatch(new RegExp(`^00-${ID}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`))
    expect(heard[0]?.get('tracestate')).toBe('vendor=1')
    expect([heard[1]?.get('traceparent'), heard[1]?.get('tracestate')]).toEqual([null, null])
    expect(traceHeaders()).toEqual({})
  })

  test('of untraced work has the id of its subject', () => {
    const id = Bun.randomUUIDv7()
    const [first, second] = [traceparent(id), traceparent(id)]
    expect(given(first)?.id).toBe(id.replaceAll('-', ''))
    expect(given(second)?.id).toBe(given(first)?.id as string)
    expect(first).not.toBe(second)
  })
})

describe('a server', () => {
  let server: ServerProcess
  let worker: ReturnType<typeof startWorker>
  let token: string
  const receiver = openReceiver()
  beforeAll(async () => {
    const shared = { DATABASE_URL: await ownDatabase(), FOLKMOOT_MODE: 'test', LOG_LEVEL: 'info' }
    const [person] = await seedPeople(shared.DATABASE_URL, 1, ['developer', 'user'])
    token = person?.token as string
    server = await startServer(shared)
    worker = startWorker(shared)
  })
  afterAll(async () => {
    receiver.close()
    await Promise.all([server.stop('SIGKILL'), worker.stop('SIGKILL')])
  })

  const lineOf = async (id: string) => {
    const find = () =>
      server
        .output()
        .split('\n')
        .find((line) => line.includes(`"id":"${id}"`))
    await until('the request is logged', () => find() !== undefined)
    return JSON.parse(find() as string)
  }
  const ask = async (headers: Record<string, string>, path = '/v1/me') => {
    const answer = await call('GET', path, { base: server.url, token, headers })
    return lineOf(answer.headers.get('x-request-id') as string)
  }

  test('logs the trace of a request with any response', async () => {
    expect(await ask({ traceparent: PARENT })).toMatchObject({ route: '/v1/me', status: 200, trace: ID })
    expect(await ask({ traceparent: PARENT }, '/v1/nothing')).toMatchObject({ status: 404, trace: ID })
    expect(await ask({})).not.toHaveProperty('trace')
    expect(await ask({ traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` })).not.toHaveProperty('trace')
  })

  test('hands the trace to a receiver that a request calls; a worker names it after the message', async () => {
    const made = await call('POST', '/v1/developer/webhooks', {
      base: server.url,
      token,
      json: { url: receiver.url, eventTypes: ['token.*'] },
    })
    const tested = await call('POST', `/v1/developer/webhooks/${made.body.data.id}/test`, {
      base: server.url,
      token,
      json: {},
      headers: { traceparent: PARENT, tracestate: 'secret=1' },
    })
    expect(tested.body.data.success).toBe(true)
    const [test] = receiver.received
    expect(test?.headers.get('traceparent')).toMatch(new RegExp(`^00-${ID}-[0-9a-f]{16}-01$`))
    expect(test?.headers.get('tracestate')).toBeNull()
    await call('POST', '/v1/profile/tokens', {
      base: server.url,
      token,
      json: { name: 'heard', scopes: ['read:user'] },
    })
    await until('the worker has sent it', () => receiver.received.length === 2)
    const sent = receiver.received[1]
    expect(sent?.headers.get('traceparent')).toMatch(
      new RegExp(`^00-${sent?.id.replaceAll('-', '')}-[0-9a-f]{16}-00$`),
    )
  })
})
