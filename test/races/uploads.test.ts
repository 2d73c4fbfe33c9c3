import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { diskStorage } from '@/outbound/storage/local/disk'
import { call, get } from '../support/api'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase, startWorker, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { countStatuses, startThree, type Three } from '../support/three'
import { ask, asPng, png, send } from '../support/uploads'

const FILES_MAX = 20
const bytes = png(20, 20)
const BYTES_MAX = bytes.byteLength * 15

describe('uploads over three processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-uploads-'))
  const storage = diskStorage({ folder, keepFree: 0 })
  let three: Three
  let worker: ReturnType<typeof startWorker>
  let sql: postgres.Sql
  let people: Seeded[]

  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 4, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 4, ['write:uploads'])
    const environment = {
      STORAGE_URL: pathToFileURL(folder).href,
      QUOTA_UPLOADED_FILES: String(FILES_MAX),
      QUOTA_UPLOADED_BYTES: String(BYTES_MAX),
    }
    three = await startThree(databaseUrl, environment)
    worker = startWorker({ DATABASE_URL: databaseUrl, ...environment })
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
    await worker.stop()
    rmSync(folder, { recursive: true })
  })

  const base = (i: number) => three.servers[i % 3]?.url as string

  /** People who hold more than they may. */
  const overQuota = () => sql`select owner_id from uploads where state in ('requested', 'received', 'ready')
    group by owner_id having count(*) > ${FILES_MAX} or sum(coalesce(size, declared_size)) > ${BYTES_MAX}`

  test('concurrent requests, uploads and deletions never exceed the quota, and usage is exact', async () => {
    const before = await countDeadlocks(sql)
    let done = false
    const watching = (async () => {
      while (!done) {
        expect(await overQuota()).toHaveLength(0)
        await Bun.sleep(20)
      }
    })()
    const statuses: number[] = []
    const work = people.flatMap(({ token }) =>
      Array.from({ length: 8 }, async (_, i) => {
        for (let round = 0; round < 6; round += 1) {
          const at = base(i + round)
          const asked = await call('POST', '/v1/uploads/request', { token, json: asPng(bytes), base: at })
          statuses.push(asked.status)
          if (asked.status !== 201) continue
          const { key, uploadUrl } = asked.body.data
          const sent =
            (i + round) % 3 === 0 ? undefined : await send(uploadUrl, bytes, undefined, { base: base(i) })
          if (sent) statuses.push(sent.status)
          if ((i + round) % 2 === 0)
            statuses.push((await call('DELETE', `/v1/uploads/${key}`, { token, base: base(i + 1) })).status)
        }
      }),
    )
    await Promise.all(work)
    done = true
    await watching
    expect(
      Object.keys(countStatuses(statuses)).filter((status) => !['200', '201', '202', '409'].includes(status)),
    ).toEqual([])
    expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(0)
    await until(
      'everything was checked and removed',
      async () => (await sql`select 1 from uploads where state in ('received', 'removed')`).length === 0,
    )
    for (const { token, id } of people) {
      const [row] =
        await sql`select count(*)::int as count, coalesce(sum(coalesce(size, declared_size)), 0)::int as size
        from uploads where owner_id = ${id} and state in ('requested', 'ready')`
      const { data } = (await get('/v1/uploads/usage', { token, base: base(0) })).body
      expect([data.fileCount, data.totalSize]).toEqual([row?.count, row?.size])
    }
    const named = await sql`select file from uploads where state = 'ready'`
    const stored = (await Array.fromAsync(storage.list(''))).map(({ name }) => name)
    expect(stored.sort()).toEqual(named.map(({ file }) => `files/${file}`).sort())
    expect((await countDeadlocks(sql)) - before).toBe(0)
  })

  test('one address at three processes takes one file', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { token } = people[round % people.length] as Seeded
      await sql`update uploads set state = 'removed', next_check_at = null, reason = null`
      const { uploadUrl } = await ask(token, asPng(bytes), base(0))
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, i) =>
          send(uploadUrl, png(20, 20, [i, 0, 0]), undefined, { base: base(i) }),
        ),
      )
      const counted = countStatuses(answers.map(({ status }) => status))
      expect((counted[200] ?? 0) + (counted[202] ?? 0)).toBe(1)
      expect(Object.keys(counted).filter((status) => !['200', '202', '409', '410'].includes(status))).toEqual(
        [],
      )
    }
    await until(
      'everything was checked',
      async () => (await sql`select 1 from uploads where state = 'received'`).length === 0,
    )
    const rows = await sql`select incoming from uploads where incoming is not null`
    const named = rows.map(({ incoming }) => `incoming/${incoming}`)
    const stored = (await Array.fromAsync(storage.list('incoming/'))).map(({ name }) => name)
    expect(stored.filter((name) => !named.includes(name))).toEqual([])
  })
})
