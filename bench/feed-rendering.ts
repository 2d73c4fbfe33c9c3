import { closeDatabase, connectDatabase } from '@/db/client'
import { cachedFeed, feedOf } from '@/modules/gatherings/feeds/cache'
import { FORMATS, type Format } from '@/modules/gatherings/feeds/feed'
import { median } from './median'

const ROUNDS = 15
/** A server that renders a feed again has done so before. */
const WARM_UP = 10

/**
 * Milliseconds of the processor for a feed of a thousand events, and the longest for which nothing else had a turn. The system
 * counts the time of a thread in ticks of 4 ms, so that is told by the clock, which also shows the turns of other programs:
 * of all rounds the one that they disturbed least.
 */
export type Rendering = { format: Format; cpuMs: number; stretchMs: number }

/** Another filter each time, so that nothing of it is kept. */
const coldFeed = (format: Format, round: number) =>
  cachedFeed(
    feedOf(
      {
        kind: 'events',
        filters: { from: new Date(round * 1000).toISOString(), status: 'all', cancelled: 'include' },
      },
      format,
    ),
  )

async function measure(): Promise<Rendering[]> {
  const found: Rendering[] = []
  let round = 0
  for (const format of FORMATS) {
    for (let i = 0; i < WARM_UP; i += 1) await coldFeed(format, ++round)
    const [cpu, stretches]: [number[], number[]] = [[], []]
    for (let i = 0; i < ROUNDS; i += 1) {
      let [longest, isOver] = [0, false]
      const before = process.cpuUsage()
      await coldFeed(format, ++round)
      const { user, system } = process.cpuUsage(before)
      cpu.push((user + system) / 1000)
      // Once more, beside somebody who wants a turn as often as there is one.
      const tick = () => {
        const at = performance.now()
        longest = Math.max(longest, at - lastAt)
        lastAt = at
        if (!isOver) setImmediate(tick)
      }
      let lastAt = performance.now()
      setImmediate(tick)
      await coldFeed(format, ++round)
      isOver = true
      tick()
      stretches.push(longest)
    }
    found.push({ format, cpuMs: median(cpu), stretchMs: Math.min(...stretches) })
  }
  return found
}

connectDatabase(process.env.DATABASE_URL as string, {
  max: 2,
  statementTimeoutMs: 10_000,
  name: 'folkmoot-bench',
})
const found = await measure()
await closeDatabase()
process.stdout.write(JSON.stringify(found), () => process.exit(0))
