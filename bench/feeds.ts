import { join } from 'node:path'
import type { Rendering } from './feed-rendering'
import { residentBytes } from './figures'
import { start } from './processes'
import { type Surroundings, startServer } from './server'

export const FEEDS = { name: 'feeds: rendering, and 10,000 calendars that look again and again' }

const CALENDARS = 10_000
const AT_ONCE = 16

export type Feeds = {
  renderings: Rendering[]
  /** Resident megabytes before anybody looks, and the most while all do, twice; how many had nothing new to read. */
  calendars: { before: number; peak: number; unchanged: number }
}

export async function measureFeeds(surroundings: Surroundings, say: (what: string) => void): Promise<Feeds> {
  say('feeds of 1,000 events, rendered')
  const renderings = await inChild<Rendering[]>('feed-rendering.ts', surroundings)
  say(`${CALENDARS} calendars of people`)
  const tokens = await inChild<string[]>('feed-tokens.ts', surroundings, String(CALENDARS))
  const server = await startServer(surroundings)
  const before = residentBytes(server.pid) / 1e6
  let peak = before
  const etags = new Map<string, string>()
  let unchanged = 0
  for (let round = 0; round < 2; round += 1) {
    const left = [...tokens]
    const poll = async () => {
      for (let token = left.pop(); token !== undefined; token = left.pop()) {
        const known = etags.get(token)
        const answer = await fetch(`${server.url}/feeds/me/${token}.ics`, {
          headers: known ? { 'if-none-match': known } : {},
        })
        await answer.arrayBuffer()
        if (answer.status === 304) unchanged += 1
        else if (answer.status !== 200) throw new Error(`A calendar was answered ${answer.status}`)
        etags.set(token, answer.headers.get('etag') as string)
        if (left.length % 100 === 0) peak = Math.max(peak, residentBytes(server.pid) / 1e6)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, poll))
  }
  await server.stop()
  return { renderings, calendars: { before, peak, unchanged } }
}

/** The modules of the server read the environment when they are imported, so each of these is a process of its own. */
async function inChild<T>(
  file: string,
  { databaseUrl, secretKey }: Surroundings,
  ...words: string[]
): Promise<T> {
  const child = start([process.execPath, join(import.meta.dir, file), ...words], {
    stdout: 'pipe',
    env: { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey },
  })
  return JSON.parse(await new Response(child.stdout).text()) as T
}
