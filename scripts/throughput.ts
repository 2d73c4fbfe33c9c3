import { availableParallelism } from 'node:os'
import { bootstrap } from './bootstrap'

process.chdir(`${import.meta.dir}/..`)
await bootstrap({ development: true })
const { leave } = await import('../bench/leave')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130))

const SECONDS = 5
const ROUNDS = 3
const PATHS = ['/v1/me', '/v1/events?limit=20']

/** 1, 2, 4 … up to the number of cores. */
function* steps(): Generator<number> {
  const cores = availableParallelism()
  for (let count = 1; count < cores; count *= 2) yield count
  yield cores
}

/** Throughput by number of processes on this machine, with load generator and PostgreSQL on the same cores. */
async function measure() {
  const { openDatabases } = await import('../bench/databases')
  const { chooseGenerator } = await import('../bench/load/choose')
  const { median } = await import('../bench/median')
  const { sow } = await import('../bench/seed-process')
  const { startServer } = await import('../bench/server')
  const { folder, databaseUrl, redisUrl } = await openDatabases()
  const surroundings = { folder, databaseUrl, secretKey: crypto.randomUUID().repeat(2) }
  const { token } = await sow(surroundings, { people: 1000, events: 1000 })
  const generator = chooseGenerator(folder)
  console.log(
    `${availableParallelism()} cores, shared with ${generator.name} and PostgreSQL; median of ${ROUNDS} times ${SECONDS} s, 64 connections.\n`,
  )
  const ways = {
    'counted by the parent': {},
    ...(redisUrl && { 'with Redis': { REDIS_URL: redisUrl } }),
  }
  for (const [way, more] of Object.entries(ways))
    for (const path of PATHS) {
      let one = 0
      console.log(`GET ${path}, ${way}`)
      for (const processes of steps()) {
        const server = await startServer(surroundings, { PROCESSES: String(processes), ...more })
        const shot = {
          url: server.url + path,
          method: 'GET',
          headers: { authorization: `Bearer ${token}` },
          status: 200,
        }
        const rates: number[] = []
        for (let round = 0; round < ROUNDS; round += 1) {
          const { perSecond, wrong } = await generator.fire(shot, SECONDS)
          if (wrong > 0) throw new Error(`${wrong} answers were wrong`)
          rates.push(perSecond)
        }
        await server.stop()
        const rate = median(rates)
        one ||= rate
        const figures = `${Math.round(rate).toLocaleString('en')} requests a second`.padStart(28)
        console.log(`  ${String(processes).padStart(3)} ${figures}   ${(rate / one).toFixed(2)} of one`)
      }
    }
}

await measure().catch((error) => {
  console.error(error)
  return leave(1)
})
await leave(0)
