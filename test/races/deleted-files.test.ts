import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { fileName, newKey } from '@/modules/people/uploads/key'
import { storage } from '@/outbound/storage/current'
import { ownDatabase, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree } from '../support/three'

test('a deleted file is 404 at every process within a second, and at the one that did it at once', async () => {
  const databaseUrl = await ownDatabase()
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const three = await startThree(databaseUrl)
  const [first, ...others] = three.servers.map(({ url }) => url) as [string, ...string[]]

  /** Every process has it cached now. */
  async function seedFile(ownerId: string): Promise<string> {
    const [file, path] = [crypto.randomUUID(), storage.scratch()]
    const key = newKey({ category: 'media', contentType: 'image/png' }, 'a.png')
    writeFileSync(path, 'x')
    await storage.adopt(fileName(file), path)
    await sql`insert into uploads (id, key, owner_id, maker, category, filename, content_type, declared_size, state, file, size, sha256, expires_at, created_at, changed_at)
      values (${Bun.randomUUIDv7()}, ${key}, ${ownerId}, 'person', 'media', 'a.png', 'image/png', 1, 'ready', ${file}, 1, ${file}, now(), now(), now())`
    for (const url of [first, ...others, first, ...others]) expect(await status(url, key)).toBe(200)
    return key
  }
  const status = async (url: string, key: string) => {
    const answer = await fetch(`${url}/v1/uploads/file/${key}`)
    await answer.arrayBuffer()
    return answer.status
  }
  async function expectGone(key: string) {
    expect(await status(first, key)).toBe(404)
    for (const url of others) await until('they know', async () => (await status(url, key)) === 404, 1000)
  }

  const [owner] = (await seedPeople(databaseUrl, 1, ['write:uploads'])) as [Seeded]
  for (let round = 0; round < 3; round += 1) {
    const key = await seedFile(owner.id)
    expect(await three.ask(0, 'DELETE', `/v1/uploads/${key}`, owner.token)).toBe(200)
    await expectGone(key)
  }

  const session = randomHex(32)
  await sql`insert into sessions (id, user_id, hash, expires_at)
    values (${Bun.randomUUIDv7()}, ${owner.id}, ${Buffer.from(hashSecret(session))}, now() + interval '1 hour')`
  const [one, two] = [await seedFile(owner.id), await seedFile(owner.id)]
  const erased = await fetch(`${first}/v1/profile?confirm=${owner.username}`, {
    method: 'DELETE',
    headers: { cookie: `session=${session}`, 'sec-fetch-site': 'same-origin' },
  })
  expect([erased.status < 300, await erased.text()]).toEqual([true, expect.any(String)])
  await expectGone(one)
  await expectGone(two)
  await sql.end()
  await three.stop()
})
