import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { restore } from '@/backup/restore'
import { verify } from '@/backup/verify'
import { readRelease } from '@/db/migrate/release'
import { diskStorage } from '@/outbound/storage/local/disk'
import { ownDatabase, startServer } from '../support/processes'
import { giveToken } from '../support/seed'
import { emptyDatabase } from '../support/upgrades/histories'
import { schemaOf } from '../support/upgrades/schema'

const folder = join(import.meta.dir, 'releases')
const kept = readdirSync(folder).sort()

test('every release that the changelog names has left a database here', () => {
  const changelog = readFileSync(join(import.meta.dir, '../../CHANGELOG.md'), 'utf8')
  const released = [...changelog.matchAll(/^## v?(\d+\.\d+\.\d+)/gm)].map(
    ([, version]) => `${version}.backup`,
  )
  expect(released.filter((name) => !kept.includes(name))).toEqual([])
  expect(kept).not.toEqual([])
})

describe('a community of an earlier release', () => {
  for (const name of kept)
    test(`of ${name.replace('.backup', '')} comes up in this one, with all its people`, async () => {
      const file = join(folder, name)
      const { manifest } = await verify(file)
      expect(manifest.migrations.length).toBeLessThanOrEqual(readRelease().length)
      const url = await emptyDatabase()
      const storage = diskStorage({ folder: mkdtempSync(join(tmpdir(), 'folkmoot-files-')), keepFree: 0 })
      await restore({ file, manifest, databaseUrl: url, storage, putKey: () => {}, onProgress: () => {} })
      const server = await startServer({ DATABASE_URL: url })
      try {
        expect(await schemaOf(url)).toEqual(await schemaOf(await ownDatabase()))
        const sql = postgres(url, { max: 1 })
        const [row] = await sql<{ users: number; id: string; username: string }[]>`
          select count(*)::int as users, min(id::text) as id, (array_agg(username order by id::text))[1] as username from users`
        await sql.end()
        expect(row?.users).toBe(manifest.counts.users?.rows as number)
        const headers = { authorization: `Bearer ${await giveToken(url, row?.id as string)}` }
        const me = await fetch(`${server.url}/v1/me`, { headers })
        expect(await me.json()).toMatchObject({ data: { username: row?.username } })
        for (const page of ['', 'events', 'groups', 'people', 'leaderboard'])
          expect([page, (await fetch(`${server.url}/${page}`)).status]).toEqual([page, 200])
        const bio = await fetch(`${server.url}/v1/profile`, {
          method: 'PATCH',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ bio: 'Still here.' }),
        })
        expect(bio.status).toBe(200)
      } finally {
        await server.stop()
      }
    })
})
