import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import postgres from 'postgres'
import { randomHex } from '@/core/codes'
import { get, patch, post } from '../support/api'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'
import { seedToken } from '../support/seed'

/** A server as operators run it, on a database of which somebody has renamed a column. */
describe('a server that meets a fault of its own', () => {
  const typed = `typed-${randomHex(8)}`
  let server: ServerProcess
  let token = ''
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    token = await seedToken(databaseUrl)
    server = await startServer({ DATABASE_URL: databaseUrl })
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await sql`alter table users rename column username to handle`
    await sql.end()
  })
  afterAll(() => server.stop())

  test('does not take a client that hangs up in its body for a fault', async () => {
    const { host, hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const type = 'application/x-www-form-urlencoded'
    socket.write(`POST /oauth/token HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\n`)
    socket.write('Content-Length: 500\r\n\r\ngra', () => socket.destroy())
    const line = /"route":"\/oauth\/token","status":(\d+)/
    await until('the request is in the log', () => line.test(server.output()))
    expect([line.exec(server.output())?.[1], server.output().includes('request failed')]).toEqual([
      '400',
      false,
    ])
  })

  test('says that it was its fault, and an id to ask about, and nothing else', async () => {
    const answers = [
      await get('/v1/me', { base: server.url, token }),
      await patch('/v1/profile', { base: server.url, token, json: { location: typed } }),
      await post('/v1/favorites/nowhere', { base: server.url, token }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 403])
    // Who it was could not be found out, so it is the budget of the address.
    for (const { headers } of answers)
      for (const name of ['limit', 'remaining', 'reset'])
        expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
    for (const answer of answers.slice(0, 2)) {
      const id = answer.headers.get('x-request-id') as string
      expect(answer.body).toEqual({
        error: `Something went wrong on our side; please mention ${id} when you report it`,
        code: 'internal_error',
      })
      expect(answer.headers.get('content-type')).toStartWith('application/json')
    }
  })

  test('writes down what happened under that id, without what was typed', async () => {
    const answer = await get(`/v1/profile/check-username/${typed}`, { base: server.url, token })
    expect(answer.status).toBe(500)
    const id = answer.headers.get('x-request-id') as string
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes(`"${id}"`) && line.includes('request failed'))
    await until('the fault is in the log', () => lines().length > 0)
    const [line = ''] = lines()
    expect(JSON.parse(line)).toMatchObject({ level: 'error', id, code: '42703' })
    expect(server.output()).not.toContain(typed)
  })

  test('writes down patterns of addresses, and nothing of what stood in them', async () => {
    const secret = crypto.randomUUID().replaceAll('-', '')
    const asked = [
      `/v1/claim/${secret}`,
      `/v1/checkin/${secret}?code=${secret}`,
      `/v1/users?search=${secret}`,
      `/auth/email/verify?token=${secret}${secret}`,
      `/downloads/${secret}`,
      `/nowhere/${secret}`,
    ]
    for (const path of asked) await get(path, { base: server.url, headers: { 'user-agent': secret } })
    await until('all are in the log', () => server.output().split('"request"').length > asked.length)
    expect(server.output()).toContain('"route":"/v1/claim/:code"')
    expect(server.output()).not.toContain(secret)
  })
})
