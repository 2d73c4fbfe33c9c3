import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { type MailServer, readLetter, startMailServer } from '../support/mail-server'
import { startPostgres, type TestPostgres } from '../support/postgres'
import { type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { seededRandom } from '../support/random'
import { freePort } from '../support/redis'
import { type Seeded, seedPeople } from '../support/seed'
import { asPng, png } from '../support/uploads'

const FAULTS = Number(process.env.FAULTS ?? 200)
const EVENTS = 200
const GUESTS = 6
const SETTLE_MS = 240_000
const picture = png(60, 40)

const folder = mkdtempSync(join(tmpdir(), 'folkmoot-nothing-lost-'))
let database: TestPostgres
let smtp: MailServer
let environment: Record<string, string>
let servers: { port: string; process: ServerProcess }[]
let worker: ReturnType<typeof startWorker>
let guests: (Seeded & { email: string })[]
let manager: Seeded
let groupId: string
let eventIds: string[]

beforeAll(async () => {
  database = await startPostgres(join(folder, 'data'))
  smtp = await startMailServer()
  environment = {
    DATABASE_URL: database.url,
    SMTP_URL: smtp.url,
    BASE_URL: 'http://folk.example',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
    STORAGE_KEEP_FREE: '0',
    RATE_LIMIT_USER_PER_HOUR: '1000000',
    LOG_LEVEL: 'silent',
  }
  const people = await seedPeople(database.url, GUESTS, ['write:events', 'write:uploads'])
  guests = people.map((person) => ({ ...person, email: `${person.username}@there.example` }))
  ;[manager] = (await seedPeople(database.url, 1, ['manage:checkins'])) as [Seeded]
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  for (const { id, email } of guests) await sql`update users set email = ${email} where id = ${id}`
  groupId = Bun.randomUUIDv7()
  eventIds = Array.from({ length: EVENTS }, () => Bun.randomUUIDv7())
  await sql`insert into groups (id, urlname, name) values (${groupId}, 'faulty', 'Faulty')`
  await sql`insert into group_members (id, group_id, user_id, role) values (${Bun.randomUUIDv7()}, ${groupId}, ${manager.id}, 'owner')`
  const at = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000)
  await sql`insert into events ${sql(
    eventIds.map((id, i) => ({
      id,
      group_id: groupId,
      title: `Evening ${i}.`,
      start_time: at(5),
      end_time: at(6),
      over_at: at(6),
      timezone: 'UTC',
      status: 'published',
    })),
  )}`
  // A sheet has a badge to print.
  await sql`insert into rsvps (id, event_id, user_id, status)
    select uuidv7(), id, ${manager.id}, 'confirmed' from events`
  await sql.end()
  servers = await Promise.all(
    [1, 2, 3].map(async () => {
      const port = String(await freePort())
      return { port, process: await startServer({ ...environment, PORT: port }) }
    }),
  )
  worker = startWorker(environment)
})

afterAll(async () => {
  await Promise.all([...servers.map(({ process }) => process.stop('SIGKILL')), worker.stop('SIGKILL')])
  await smtp.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})

test(`${FAULTS} faults over three processes and a worker lose no upload, no letter and no sheet`, async () => {
  const { random } = seededRandom()
  let isOver = false
  const loops = [...guests.map(guestLoop), sheetLoop()]
  for (let fault = 0; fault < FAULTS; fault += 1) await breakOnce()
  isOver = true
  await Promise.all(loops)

  const urls = uploads.map((key) => `/v1/uploads/file/${key}`)
  await settled('every upload is served', urls, async (url) => (await ask(0, 'GET', url)).status === 200)
  await settled('every RSVP has its letter', rsvps, async ({ email, title }) =>
    smtp.to(email).some((letter) => readLetter(letter).includes(title)),
  )
  await settled('every sheet can be printed', sheets, async (id) => {
    const { body } = await ask(0, 'GET', `/v1/manage/groups/${groupId}/pass-sheets/${id}`, manager)
    if (body?.data?.status === 'failed') strange.add(`sheet ${id} failed: ${body.data.error}`)
    return body?.data?.status === 'ready' || body?.data?.status === 'failed'
  })
  expect([...strange]).toEqual([])
  for (const acknowledged of [uploads, rsvps, sheets])
    expect(acknowledged.length).toBeGreaterThan(FAULTS / 10)
  console.log(
    `nothing-lost: ${uploads.length} uploads, ${rsvps.length} letters and ${sheets.length} sheets survived ${FAULTS} faults`,
  )

  async function guestLoop(guest: (typeof guests)[number], index: number) {
    for (let round = 0; !isOver; round += 1) {
      await uploadOnce(guest, index + round)
      const eventId = eventIds[round % EVENTS] as string
      const { status } = await ask(index + round, 'POST', `/v1/events/${eventId}/rsvp`, guest)
      if (status === 201) rsvps.push({ email: guest.email, title: `Evening ${round % EVENTS}.` })
      await Bun.sleep(100)
    }
  }

  async function sheetLoop() {
    for (let round = 0; !isOver; round += 1) {
      const path = `/v1/manage/groups/${groupId}/events/${eventIds[round % EVENTS]}/pass-sheets`
      const { status, body } = await ask(round, 'POST', path, manager, {
        kind: 'badges',
        paper: 'badge-86x54',
      })
      if (status === 201) sheets.push(body.data.id)
      await Bun.sleep(1000)
    }
  }

  async function breakOnce() {
    await Bun.sleep(50 + random() * 300)
    const kind = Math.floor(random() * 7)
    if (kind === 0) await database.restart('SIGKILL')
    else if (kind === 1) await database.restart('SIGINT')
    else if (kind === 2) await database.freeze(200 + random() * 3500)
    else if (kind === 3) await cutConnections()
    else if (kind === 4) {
      await worker.stop('SIGKILL')
      worker = startWorker(environment)
    } else {
      const server = servers[Math.floor(random() * 3)] as (typeof servers)[number]
      await server.process.stop(random() < 0.7 ? 'SIGKILL' : 'SIGTERM')
      server.process = await startServer({ ...environment, PORT: server.port })
    }
  }
}, 3_600_000)

const uploads: string[] = []
const rsvps: { email: string; title: string }[] = []
const sheets: string[] = []
const strange = new Set<string>()

/** An upload that is sent again, as clients do, when the answer is lost. */
async function uploadOnce(guest: Seeded, turn: number) {
  const asked = await ask(turn, 'POST', '/v1/uploads/request', guest, asPng(picture))
  if (asked.status !== 201) return
  const { key, uploadUrl } = asked.body.data
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { status } = await ask(turn + attempt, 'PUT', new URL(uploadUrl).pathname, undefined, picture)
    if (status === 200 || status === 202) uploads.push(key)
    if (status !== 503 && status !== 0) return
  }
}

/** The status is 0 where nobody answered. */
async function ask(turn: number, method: string, path: string, person?: Seeded, content?: object) {
  const isFile = content instanceof Uint8Array
  const response = await fetch(`${servers[turn % 3]?.process.url}${path}`, {
    method,
    headers: {
      host: 'folk.example',
      ...(person && { authorization: `Bearer ${person.token}` }),
      ...(content && { 'content-type': isFile ? 'image/png' : 'application/json' }),
    },
    signal: AbortSignal.timeout(20_000),
    ...(content && { body: isFile ? (content as Uint8Array<ArrayBuffer>) : JSON.stringify(content) }),
  }).catch(() => undefined)
  const text = await response?.text().catch(() => '')
  const status = response?.status ?? 0
  if (status === 0 || status === 503) await Bun.sleep(50)
  else if (![200, 201, 202, 404, 409, 410].includes(status))
    strange.add(`${method} ${path}: ${status} ${text}`)
  return { status, body: text?.startsWith('{') ? JSON.parse(text) : undefined }
}

async function settled<T>(what: string, all: T[], holds: (one: T) => Promise<boolean>) {
  let left = all
  await until(
    what,
    async () => {
      const answers = await Promise.all(left.map(holds))
      left = left.filter((_, i) => !answers[i])
      return left.length === 0
    },
    SETTLE_MS,
  ).catch(() => expect({ what, left }).toEqual({ what, left: [] }))
}

async function cutConnections() {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'folkmoot%' and random() < 0.7`
  await sql.end()
}
