import { join } from 'node:path'
import { bootstrap } from '../scripts/bootstrap'
import { isLeaving, leave } from './leave'

process.chdir(join(import.meta.dir, '..'))
await bootstrap({ development: true })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130))

function wordAfter(flag: string): string | undefined {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : (process.argv[at + 1] ?? '')
}

try {
  // Imported late: what it needs may have been installed just now.
  const { isFresh } = await import('../src/lifecycle/bundle')
  if (!isFresh()) await import('../src/lifecycle/make-bundle')
  const { run } = await import('./run')
  const broken = await run({ full: process.argv.includes('--full'), only: wordAfter('--only') })
  await leave(broken ? 1 : 0)
} catch (error) {
  // Whoever interrupts the bench knows why its parts ended.
  if (!isLeaving()) console.error(error)
  await leave(1)
}
