import { closeDatabase, connectDatabase } from '@/db/client'
import { FORMATS, type Format } from '@/modules/gatherings/feeds/feed'
import { feedOf, keptFeed } from '@/modules/gatherings/feeds/kept'
import { median } from './median'

const ROUNDS = 15

/**
 * Milliseconds of the processor for a feed of a thousand events, and the longest for which nothing else had a turn: of this
 * thread's own time, since on a machine that others use too a clock shows their turns as well.
 */
export type Rendering = { format: Format; cpuMs: number; stretchMs: number }

/** Another filter each time, so that nothing of it is kept. */
const coldFeed = (format: Format, round: number) =>
  keptFeed(
    feedOf(
      {
        kind: 'events',
        filters: { from: new Date(round * 1000).toISOString(), status: 'all', cancelled: 'include' },
      },
      format,
    ),
  )

const ownMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function measure(): Promise<Rendering[]> {
  const found: Rendering[] = []
  let round = 0
  for (const format of FORMATS) {
    for (let i = 0; i < 3; i += 1) await coldFeed(format, ++round)
    const [cpu, stretches]: [number[], number[]] = [[], []]
    for (let i = 0; i < ROUNDS; i += 1) {
      let [longest, isOver] = [0, false]
      const before = process.cpuUsage()
      await coldFeed(format, ++round)
      const { user, system } = process.cpuUsage(before)
      cpu.push((user + system) / 1000)
      // Once more, beside somebody who wants a turn as often as there is one.
      const tick = () => {
        const at = ownMs()
        longest = Math.max(longest, at - lastAt)
        lastAt = at
        if (!isOver) setImmediate(tick)
      }
      let lastAt = ownMs()
      setImmediate(tick)
      await coldFeed(format, ++round)
      isOver = true
      tick()
      stretches.push(longest)
    }
    found.push({ format, cpuMs: median(cpu), stretchMs: median(stretches) })
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
