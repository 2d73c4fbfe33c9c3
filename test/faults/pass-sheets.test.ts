import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { diskStorage } from '@/outbound/storage/local/disk'
import { call, get } from '../support/api'
import { processesNaming } from '../support/process-tree'
import { ownDatabase, startServer, startWorker, until } from '../support/processes'
import { seedEvent, seedPeople } from '../support/seed'

/** A lease of half a minute runs out, and the next worker begins anew. */
const LONG_MS = 120_000
const GUESTS = 300
const root = join(import.meta.dir, '../..')

type Stoppable = { stop(signal?: NodeJS.Signals): Promise<unknown> }
const toStop: Stoppable[] = []
const kept = <T extends Stoppable>(process: T): T => {
  toStop.push(process)
  return process
}
const toClean: (() => unknown)[] = []
afterEach(async () => {
  for (const process of toStop.splice(0)) await process.stop('SIGKILL')
  for (const clean of toClean.splice(0).reverse()) await clean()
})

async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-sheets-'))
  const databaseUrl = await ownDatabase()
  const environment = {
    DATABASE_URL: databaseUrl,
    STORAGE_URL: pathToFileURL(folder).href,
    STORAGE_KEEP_FREE: '0',
  }
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  const storage = diskStorage({ folder, keepFree: 0 })
  toClean.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => sql.end(),
  )
  const { groupId, eventId, owner } = await seedEvent(databaseUrl)
  const guests = await seedPeople(databaseUrl, GUESTS)
  await sql`insert into rsvps (id, event_id, user_id, status)
    select uuidv7(), ${eventId}, id, 'confirmed' from users where id = any(${guests.map(({ id }) => id)}::uuid[])`
  const server = kept(await startServer(environment))
  const manage = `/v1/manage/groups/${groupId}`
  const as = { token: owner.token, base: server.url }
  const { body } = await call('POST', `${manage}/events/${eventId}/pass-sheets`, {
    ...as,
    json: { kind: 'badges', paper: 'badge-86x54' },
  })
  const read = async () => (await get(`${manage}/pass-sheets/${body.data.id}`, as)).body.data

  /** That the storage holds one whole file, and nothing else once the sweeps have been round. */
  async function agreement() {
    const sweep = Bun.spawn([process.execPath, 'test/support/sweep-now.ts'], {
      cwd: root,
      env: { ...process.env, FOLKMOOT_MODE: 'test', ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    expect(await sweep.exited).toBe(0)
    const [row] = await sql`select file, size from pass_sheets`
    const stored = (await Array.fromAsync(storage.list(''))).map(({ name, size }) => [name, size])
    expect(stored).toEqual([[`sheets/${row?.file}`, row?.size]])
    expect(await storage.leftovers(new Date(Date.now() + 60_000))).toEqual([])
    const passes = await sql`select count(*)::int as made from passes where type = 'qrcode'`
    expect(passes[0]?.made).toBe(GUESTS)
    const { url, pages } = await read()
    const file = await (await fetch(server.url + new URL(url).pathname)).text()
    expect([pages, file.startsWith('%PDF-'), file.trimEnd().endsWith('%%EOF')]).toEqual([GUESTS, true, true])
  }
  return { environment, sql, storage, read, agreement }
}

describe('a worker that is killed', () => {
  for (const point of ['after-render', 'after-files', 'after-ready'] as const)
    test(`${point}: the next one finishes the sheet, and nothing is left over`, async () => {
      const { environment, read, agreement, sql } = await world()
      const doomed = { ...environment, FOLKMOOT_MODE: 'test', FOLKMOOT_FAILPOINT: point }
      expect(await kept(startWorker(doomed)).exited).not.toBe(0)
      expect((await read()).status).toBe(point === 'after-ready' ? 'ready' : 'rendering')
      kept(startWorker(environment))
      const isDone = async () => (await sql`select 1 from jobs where status = 'done'`).length === 1
      await until('the job is done', isDone, LONG_MS)
      expect((await read()).status).toBe('ready')
      await agreement()
    }, 180_000)

  test('while the sheet is drawn: its child ends with it, there is no half file, and the next one finishes', async () => {
    const { environment, read, agreement, storage, sql } = await world()
    const dying = kept(startWorker(environment))
    const drawing = () => processesNaming('pass-sheets/render/child.ts')
    const childrenOf = () => drawing().filter(({ parent }) => parent === dying.pid)
    await until('a child draws', () => childrenOf().length > 0, LONG_MS)
    const child = childrenOf()[0]?.pid
    await dying.stop('SIGKILL')
    await until('its child has ended', () => !drawing().some(({ pid }) => pid === child))
    expect(await Array.fromAsync(storage.list(''))).toEqual([])
    expect(await read()).toMatchObject({ status: 'rendering', url: null })
    kept(startWorker(environment))
    const isReady = async () => (await sql`select 1 from pass_sheets where file is not null`).length === 1
    await until('it is ready', isReady, LONG_MS)
    await agreement()
  }, 180_000)
})
