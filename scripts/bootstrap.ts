import { type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listenForOrder, type OrderToStop } from '../src/lifecycle/order-to-stop'

// Runs before packages are installed: this file and its imports may use only built-in modules.

const root = join(import.meta.dir, '..')
const BUN_NEEDED = '1.4.4'

/** Checks the Bun version and installs the packages of the lockfile, unless already done. */
export async function bootstrap({ development }: { development: boolean }): Promise<void> {
  if (Bun.semver.order(Bun.version, BUN_NEEDED) < 0)
    fail(
      `Folkmoot needs Bun ${BUN_NEEDED} or newer and this is ${Bun.version}: run "npm install -g bun@${BUN_NEEDED}" and try again.`,
    )
  const wanted = Bun.hash(readFileSync(join(root, 'bun.lock'))).toString(36)
  const stamp = join(root, 'node_modules', '.folkmoot-installed')
  const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (found === `${wanted} everything` || (found === `${wanted} runtime` && !development)) return
  const isThere = () => !development && hasPackages()
  if (found === '' && isThere()) return
  console.log('Installing packages…')
  const order = listenForOrder()
  const install = ['install', '--frozen-lockfile', ...(development ? [] : ['--production'])]
  const { code, said } = await runChild(install, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] }, order)
  if (order.signal.aborted) process.exit(1)
  // The server's user may lack write access here, which is fine if root installed the packages.
  if (code !== 0 && isThere()) return
  if (code !== 0) fail(`The packages could not be installed. ${lastLine(said)}`)
  writeFileSync(stamp, `${wanted} ${development ? 'everything' : 'runtime'}`)
  // This process has cached the missing packages, so a new one runs the command.
  process.exit((await runChild(process.argv.slice(1), { stdio: 'inherit' }, order)).code ?? 1)
}

/** Whether the packages are installed, for example by root for the server's user. */
function hasPackages(): boolean {
  const { dependencies } = readPackage(root) ?? {}
  return Object.entries(dependencies ?? {}).every(
    ([name, version]) => readPackage(join(root, 'node_modules', name))?.version === version,
  )
}

type Package = { version?: string; dependencies?: Record<string, string> }

function readPackage(folder: string): Package | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** A terminal signals the whole process group; a signal to this process alone is forwarded. */
function runChild(args: string[], options: SpawnOptions, { given }: OrderToStop) {
  const child = spawn(process.execPath, args, options)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  void given.then((order) => child.kill(order === 'launcher gone' ? 'SIGTERM' : order))
  return new Promise<{ code: number | null; said: string }>((resolve) => {
    child.on('error', (error) => resolve({ code: 1, said: error.message }))
    child.on('close', (code) => resolve({ code, said }))
  })
}

export function fail(sentence: string): never {
  console.error(`\n${sentence}\n`)
  process.exit(1)
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
