import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Demo } from '@/demo/tokens'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'
import { isWhole } from '../support/sampling'

/** One reader's share; the demo has more events and people than need to be read. */
const PAGES_MAX = 400
/** Of addresses that differ in an id or a name alone, so many are read. */
const ALIKE_MAX = isWhole ? 6 : 3
/** What is no page: documents of the API, feeds, files and pictures. */
const NO_PAGE =
  /^\/(docs|v1|feeds|feed|mcp|openapi)\b|\.(ics|rss|atom|json|xml|txt|pdf|png|svg|csv|webmanifest)$/

/** The paths of pages to which a page leads on this server. */
function linksIn(text: string, at: string): string[] {
  return [...text.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>/g)].flatMap(([tag, href = '']) => {
    const url = new URL(href.replaceAll('&amp;', '&'), at)
    const isPage =
      url.origin === new URL(at).origin && !NO_PAGE.test(url.pathname) && !/\sdownload\b/.test(tag)
    return isPage ? [url.pathname + url.search] : []
  })
}

/** What an address is one of many of. */
function kindOf(path: string): string {
  const url = new URL(path, 'http://here')
  const place = url.pathname
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
    .replace(/^\/(u|groups|badges|events|pass|claim|checkin)\/[^/]+/, '/$1/*')
  return `${place}?${[...url.searchParams.keys()].sort().join('&')}`
}

describe('the links of the demo community', () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-links-'))
  const file = join(folder, 'demo.json')
  let server: ServerProcess
  let sql: postgres.Sql
  let demo: Demo
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    server = await startServer({
      ...{ FOLKMOOT_MODE: 'demo', DATABASE_URL: databaseUrl, DATA_DIR: folder },
      ...{
        RATE_LIMIT_ANONYMOUS_PER_HOUR: '100000',
        RATE_LIMIT_USER_PER_HOUR: '100000',
        RATE_LIMIT_TAP_PER_SECOND: '1000',
      },
    })
    await until('it has introduced itself', () => existsSync(file) && server.output().includes('Try it:'))
    demo = JSON.parse(readFileSync(file, 'utf8'))
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  async function sessionOf(username: string): Promise<string> {
    const secret = randomHex(32)
    await sql`insert into sessions (id, user_id, hash, expires_at)
      select ${newId()}, id, ${hashSecret(secret)}, now() + interval '1 day' from users where username = ${username}`
    return secret
  }

  /** Everything that one reader gets to by links from the front page, and what of it is no good. */
  async function walk(session?: string) {
    const found = new Set(['/'])
    const alike = new Map<string, number>()
    const broken: string[] = []
    let read = 0
    for (const path of found) {
      const many = (alike.get(kindOf(path)) ?? 0) + 1
      alike.set(kindOf(path), many)
      if (many > ALIKE_MAX) continue
      if (read === PAGES_MAX) break
      read += 1
      const answer = await fetch(server.url + path, {
        redirect: 'manual',
        headers: { accept: 'text/html', ...(session && { cookie: `session=${session}` }) },
      })
      const text = await answer.text()
      if (answer.status >= 400) broken.push(`${answer.status} ${path}`)
      const way = answer.headers.get('location')
      const links = linksIn(way === null ? text : `<a href="${way}">`, server.url + path)
      for (const link of links) found.add(link)
    }
    return { broken, read }
  }

  type Which = (person: Demo['people'][number]) => boolean
  const named = (which: Which) => demo.people.find(which)?.username as string
  /** Somebody who has every first step before them. */
  const newcomer = async () => {
    await sql`insert into users (id, name, username) values (${newId()}, 'New Here', 'new-here')`
    return 'new-here'
  }

  const READERS: [string, () => string | null | Promise<string>, number][] = [
    ['a stranger', () => null, 40],
    ['a newcomer', newcomer, 60],
    ['a person', () => named(({ role, manages }) => role === 'user' && manages.length === 0), 60],
    ['an organizer', () => named(({ role, manages }) => role === 'user' && manages.length > 0), 80],
    ['an administrator', () => named(({ role }) => role === 'admin'), 80],
  ]
  test.each(READERS)('lead %s somewhere', async (_, who, least) => {
    const username = await who()
    const { broken, read } = await walk(username === null ? undefined : await sessionOf(username))
    expect(broken).toEqual([])
    expect(read).toBeGreaterThan(isWhole ? least : least / 2)
  })
})
