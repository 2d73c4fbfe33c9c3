import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from './bootstrap'

const FAST = [
  ...[
    'house',
    'config',
    'core',
    'db',
    'outbox',
    'auth',
    'http',
    'web',
    'jobs',
    'outbound',
    'mcp',
    'modules',
    'cli',
    'demo',
    'site',
  ],
  ...['attacks', 'races', 'clients', 'upgrades'],
].map((room) => `test/${room}`)
const SLOW_FILES = 12
const SLOW = ['test/faults', 'test/fuzz', 'test/browser', 'test/subscribers', 'test/print', 'test/deploy']

process.chdir(join(import.meta.dir, '..'))
await bootstrap({ development: true })
const { listenForOrder } = await import('../src/lifecycle/order-to-stop')
const { guardFolder } = await import('../src/lifecycle/guardian')
const { startServices } = await import('../test/support/services')
const { makeTemplate } = await import('../test/support/template')

const full = process.argv.includes('--full')
const chosen = process.argv.slice(2).filter((argument) => argument !== '--full')
const startedAt = performance.now()
const order = listenForOrder()
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-test-'))
const report = join(folder, 'report.xml')
const letFolderGo = guardFolder(folder)

const { status, redisUrl } = await runAll().catch((error) => {
  if (order.signal.aborted) return { status: 1, redisUrl: undefined }
  throw error
})
const { tests, failures, skipped, slowest } = readReport()
if (order.signal.aborted) {
  // What tests have started may still be ending: the folder goes after it.
  console.log(`\nInterrupted by ${await order.given}.`)
  process.exit(1)
}
rmSync(folder, { recursive: true, force: true })
letFolderGo()

if (slowest.length > SLOW_FILES)
  console.log(`\nThe slowest files:\n${slowest.slice(0, SLOW_FILES).join('\n')}`)
console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s`)
if (!redisUrl) console.log('!! Redis could not be found or installed: the suites that need it were SKIPPED.')
console.log(
  `${tests - failures - skipped} passed, ${failures} failed${skipped ? `, ${skipped} skipped` : ''}`,
)
process.exit(status === 0 && tests > 0 && failures === 0 ? 0 : 1)

async function runAll() {
  const services = await startServices(folder, order.signal)
  try {
    await makeTemplate(services.databaseUrl)
    const status = await runTests({
      TEST_DATABASE_URL: services.databaseUrl,
      TEST_REDIS_URL: services.redisUrl ?? '',
      TEST_FOLDER: folder,
      // Whatever a test leaves goes with the folder, however the run ends.
      TMPDIR: folder,
    })
    return { status, redisUrl: services.redisUrl }
  } finally {
    await services.stop()
  }
}

function runTests(environment: Record<string, string>): Promise<number> {
  const paths = chosen.length > 0 ? chosen : [...FAST, ...(full ? SLOW : [])]
  const flags = ['--timeout', '180000', '--reporter=junit', `--reporter-outfile=${report}`]
  const child = spawn(process.execPath, ['test', ...flags, ...paths], {
    stdio: 'inherit',
    env: { ...process.env, FOLKMOOT_MODE: 'test', ...environment },
  })
  // It takes its own children along; the databases are ours.
  order.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

function readReport() {
  const count = (text: string, name: string) =>
    Number(new RegExp(`<testsuites[^>]* ${name}="(\\d+)"`).exec(text)?.[1] ?? 0)
  try {
    const text = readFileSync(report, 'utf8')
    return {
      tests: count(text, 'tests'),
      failures: count(text, 'failures'),
      skipped: count(text, 'skipped'),
      slowest: slowestIn(text),
    }
  } catch {
    return { tests: 0, failures: 1, skipped: 0, slowest: [] }
  }
}

/** One line for each file, the slowest first. */
function slowestIn(text: string): string[] {
  return [...text.matchAll(/^ {2}<testsuite name="([^"]+)"[^>]* time="([\d.]+)"/gm)]
    .map(([, name = '', seconds]) => ({ name, seconds: Number(seconds) }))
    .sort((one, two) => two.seconds - one.seconds)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)
}
