import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs before anything is installed: only built-in modules may be imported here.

const root = join(import.meta.dir, '..')
const BUN_NEEDED = '1.4.0'

/** Checks Bun and installs exactly what the lockfile says, unless that has been done already. */
export async function bootstrap({ development }: { development: boolean }): Promise<void> {
  if (Bun.semver.order(Bun.version, BUN_NEEDED) < 0)
    fail(
      `Folkmoot needs Bun ${BUN_NEEDED} or newer and this is ${Bun.version}: run "npm install -g bun@1.4.4" and try again.`,
    )
  const wanted = Bun.hash(readFileSync(join(root, 'bun.lock'))).toString(36)
  const stamp = join(root, 'node_modules', '.folkmoot-installed')
  const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (found === `${wanted} everything` || (found === `${wanted} runtime` && !development)) return
  console.log('Installing packages…')
  const install = ['install', '--frozen-lockfile', ...(development ? [] : ['--production'])]
  const { status, stderr } = spawnSync(process.execPath, install, { cwd: root, encoding: 'utf8' })
  if (status !== 0) fail(`The packages could not be installed. ${lastLine(stderr)}`)
  writeFileSync(stamp, `${wanted} ${development ? 'everything' : 'runtime'}`)
  await startAgain()
}

/** This process has looked for packages and will not look again: a new one finds them, and we wait for it. */
function startAgain(): Promise<never> {
  const child = spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
  // A terminal signals the child too; whoever signals us alone means both.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
  return new Promise(() => {})
}

export function fail(sentence: string): never {
  console.error(`\n${sentence}\n`)
  process.exit(1)
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
