import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { placeOf } from '@/outbound/storage/local/disk'
import { call } from '../../../../support/api'
import { ownDatabase, type ServerProcess, startWorker, until } from '../../../../support/processes'
import { type Seeded, seedPeople } from '../../../../support/seed'
import { startThree, type Three } from '../../../../support/three'
import { ask, asPng, png, send } from '../../../../support/uploads'

const SCOPES = ['user', 'write:uploads', 'manage:groups']

describe('over three processes and a worker', () => {
  let sql: postgres.Sql
  let three: Three
  let worker: ReturnType<typeof startWorker>
  let databaseUrl: string
  let first: ServerProcess
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
    const environment = { LEGACY_BASE_URL: 'https://before.example' }
    three = await startThree(databaseUrl, environment)
    worker = startWorker({ DATABASE_URL: databaseUrl, ...environment })
    first = three.servers[0] as ServerProcess
  })
  afterAll(async () => {
    await worker.stop()
    await three.stop()
    await sql.end()
  })

  const person = async () => (await seedPeople(databaseUrl, 1, SCOPES))[0] as Seeded

  async function upload({ token }: Seeded, category: string) {
    const bytes = png()
    const asked = await ask(token, { ...asPng(bytes), category }, first.url)
    const { status } = await send(
      asked.uploadUrl,
      bytes,
      { 'content-type': 'image/png' },
      { base: first.url },
    )
    // A busy worker checks the file after the answer.
    expect([200, 202]).toContain(status)
    const found = () => fetch(`${first.url}/v1/uploads/file/${asked.key}`)
    await until('the file was checked', async () => (await found()).status === 200)
    return asked
  }

  async function group({ id }: Seeded) {
    const [groupId, urlname] = [Bun.randomUUIDv7(), `g-${randomHex(6)}`]
    await sql`insert into groups (id, urlname, name) values (${groupId}, ${urlname}, 'Group')`
    await sql`insert into group_members (id, group_id, user_id, role) values (${Bun.randomUUIDv7()}, ${groupId}, ${id}, 'owner')`
    return groupId
  }

  const statuses = (key: string) =>
    Promise.all(
      three.servers.map(async ({ url }) => {
        const answer = await fetch(`${url}/v1/uploads/file/${key}`)
        await answer.arrayBuffer()
        return answer.status
      }),
    )

  test('the files of a deleted account are gone from every process and from the disk, and a group shows none of them', async () => {
    const [owner, manager] = [await person(), await person()]
    const groupId = await group(owner)
    await sql`insert into group_members (id, group_id, user_id, role) values (${Bun.randomUUIDv7()}, ${groupId}, ${manager.id}, 'manager')`
    const { key, publicUrl } = await upload(manager, 'group-photo')
    const path = `/v1/manage/groups/${groupId}`
    const hung = await call('PATCH', path, { ...manager, base: first.url, json: { photoUrl: publicUrl } })
    expect(hung.body.data.photoUrl).toBe(publicUrl)
    // Every process has it cached now.
    for (let twice = 0; twice < 2; twice += 1) expect(await statuses(key)).toEqual([200, 200, 200])
    const [row] = await sql`select file from uploads where key = ${key}`
    const file = join(fileURLToPath(process.env.STORAGE_URL as string), placeOf(`files/${row?.file}`))
    expect(statSync(file).isFile()).toBe(true)

    const session = randomHex(32)
    await sql`insert into sessions (id, user_id, hash, expires_at)
      values (${Bun.randomUUIDv7()}, ${manager.id}, ${Buffer.from(hashSecret(session))}, now() + interval '1 hour')`
    const gone = await call('DELETE', `/v1/profile?confirm=${manager.username}`, { session, base: first.url })
    expect(gone.status).toBe(200)
    await until(
      'it is gone everywhere',
      async () => (await statuses(key)).every((status) => status === 404),
      2000,
    )
    await until(
      'it is gone from the disk',
      () => !readdirSync(join(file, '..')).includes(row?.file as string),
    )
    await until('the group shows nothing', async () => {
      const answers = three.servers.map(({ url }) => call('GET', path, { ...owner, base: url }))
      return (await Promise.all(answers)).every(({ body }) => body.data.photoUrl === null)
    })
    expect((await sql`select 1 from uploads where key = ${key}`).length).toBe(0)
  })

  test('an address with the name that the server used to have is taken, and kept with the present one', async () => {
    const [owner, stranger] = [await person(), await person()]
    const { key, publicUrl } = await upload(owner, 'avatar')
    const json = { avatarUrl: `https://before.example/v1/uploads/file/${key}?w=160` }
    const taken = await call('PATCH', '/v1/profile', { ...owner, base: first.url, json })
    expect(taken.body.data.avatarUrl).toBe(`${publicUrl}?w=160`)
    expect((await call('PATCH', '/v1/profile', { ...stranger, base: first.url, json })).status).toBe(400)
  })
})
