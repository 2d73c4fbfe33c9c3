import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from './bootstrap'

const LANES = 2

process.chdir(join(import.meta.dir, '..'))
await bootstrap({ development: true })
const { chooseMutants } = await import('./mutants/choose')
const { misplaced } = await import('./mutants/misplaced')
const { openLane } = await import('./mutants/lane')
const { judge } = await import('./mutants/judge')
const { printTable } = await import('./mutants/table')
const { startServices } = await import('../test/support/services')

const mutants = await chooseMutants(process.argv.slice(2))
if (process.argv.includes('--check')) checkAll()
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-mutants-'))
const services = await startServices(folder)
const lanes = await Promise.all(
  Array.from({ length: Math.min(LANES, mutants.length) }, (_, number) => openLane(folder, number, services)),
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void leave(1))

try {
  const verdicts = await judge(mutants, lanes, !process.argv.includes('--no-control'))
  printTable(verdicts)
  await leave(verdicts.every(({ outcome }) => outcome === 'killed') ? 0 : 1)
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`)
  await leave(1)
}

async function leave(status: number) {
  for (const lane of lanes) lane.stop()
  await services.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exit(status)
}

/** Whether each mutant still applies. */
function checkAll(): never {
  const faults = misplaced(mutants)
  console.log([...faults, `${mutants.length - faults.length} of ${mutants.length} apply.`].join('\n'))
  process.exit(faults.length === 0 ? 0 : 1)
}
