import type { Rendering } from './feed-rendering'
import { residentBytes } from './figures'
import { inChild } from './in-child'
import { type Surroundings, startServer } from './server'

export const FEEDS = { name: 'feeds: rendering, and 10,000 calendars that look again and again' }

const CALENDARS = 10_000
/** How many come before the runtime has compiled what they run. */
const FIRST = 1000
/** Ten times as often as calendars that look every fifteen minutes. */
const PER_SECOND = (10 * CALENDARS) / (15 * 60)

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
  const look = async (token: string) => {
    const known = etags.get(token)
    const answer = await fetch(`${server.url}/feeds/me/${token}.ics`, {
      headers: known ? { 'if-none-match': known } : {},
    })
    await answer.arrayBuffer()
    if (answer.status === 304) unchanged += 1
    else if (answer.status !== 200) throw new Error(`A calendar was answered ${answer.status}`)
    etags.set(token, answer.headers.get('etag') as string)
  }
  // A server that has just begun is slow, and ten times the pace is more than it then can do: the first come one by one.
  for (const token of tokens.slice(0, FIRST)) await look(token)
  etags.clear()
  for (let round = 0; round < 2; round += 1) {
    const startedAt = performance.now()
    await Promise.all(
      tokens.map(async (token, i) => {
        await Bun.sleep(Math.max(0, startedAt + (i * 1000) / PER_SECOND - performance.now()))
        await look(token)
        if (i % 100 === 0) peak = Math.max(peak, residentBytes(server.pid) / 1e6)
      }),
    )
  }
  await server.stop()
  return { renderings, calendars: { before, peak, unchanged } }
}
