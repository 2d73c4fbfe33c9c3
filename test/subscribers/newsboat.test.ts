import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiUrl } from '../support/api'
import { demandPackage, hasProgram } from '../support/packages'
import { HOSTILE_TITLE, openNewsroom } from './newsroom'

beforeAll(() => demandPackage('newsboat', hasProgram('newsboat')))

type Row = { guid: string; title: string; pubDate: number; unread: number }

/** A reader with one subscription and a memory. */
function subscribe(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'newsboat-'))
  const [urls, config, cache] = ['urls', 'config', 'cache.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(urls, `${url}\n`)
  writeFileSync(config, '')
  const run = async (command: string) => {
    const child = Bun.spawn(['newsboat', '-q', '-u', urls, '-C', config, '-c', cache, '-x', command], {
      env: { ...process.env, HOME: folder },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const said = await new Response(child.stdout).text()
    expect(await child.exited).toBe(0)
    return said
  }
  const inCache = <T>(work: (cache: Database) => T): T => {
    const database = new Database(cache)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    reload: () => run('reload'),
    unread: async () => Number.parseInt(await run('print-unread'), 10),
    rows: () => inCache((db) => db.query<Row, []>('select * from rss_item order by guid').all()),
    markAllRead: () => inCache((db) => db.run('update rss_item set unread = 0')),
    /** So that the next reading is a whole one. */
    forgetValidators: () => inCache((db) => db.run("update rss_feed set etag = '', lastmodified = 0")),
  }
}

test.each(['rss', 'atom'])('newsboat reads %s again and again and sees nothing new', async (format) => {
  const room = await openNewsroom()
  const reader = subscribe(apiUrl() + room.path(format))
  await reader.reload()
  expect(await reader.unread()).toBe(3)
  const seen = reader.rows()
  expect(seen.map(({ guid }) => guid)).toEqual(room.ids)
  expect(seen.every(({ pubDate }) => pubDate <= Date.now() / 1000)).toBe(true)
  if (format === 'rss') expect(seen.some(({ title }) => title.startsWith(HOSTILE_TITLE))).toBe(true)

  reader.markAllRead()
  await reader.reload()
  reader.forgetValidators()
  await reader.reload()
  expect(await reader.unread()).toBe(0)
  expect(reader.rows().map(({ guid }) => guid)).toEqual(room.ids)

  expect((await room.retitle('Another title')).status).toBe(200)
  await reader.reload()
  expect(await reader.unread()).toBe(0)
  const edited = reader.rows()
  expect(edited.map(({ guid }) => guid)).toEqual(room.ids)
  expect(edited.filter(({ title }) => title.startsWith('Another title · '))).toHaveLength(1)
})
