import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from './bootstrap'

const SLOWEST_SHOWN = 12
/** One more than cores, because tests also wait; bounded by the shared connections and Redis databases. */
const WORKERS = Math.min(availableParallelism() + 1, 8)

process.chdir(join(import.meta.dir, '..'))
await bootstrap({ development: true })
const { listenForOrder } = await import('../src/lifecycle/order-to-stop')
const { guardFolder } = await import('../src/lifecycle/guardian')
const { sampleSeed } = await import('../test/support/sampling')
const { startServices } = await import('../test/support/services')
const { isSlow, testFiles } = await import('../test/support/suites')
const { makeTemplate } = await import('../test/support/template')

const full = process.argv.includes('--full')
const chosen = process.argv.slice(2).filter((argument) => argument !== '--full')
const startedAt = performance.now()
const order = listenForOrder()
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-test-'))
const reportOf = (part: string) => join(folder, `${part}.xml`)
const letFolderGo = guardFolder(folder)

const { status, redisUrl } = await runAll().catch((error) => {
  if (order.signal.aborted) return { status: 1, redisUrl: undefined }
  throw error
})
const { tests, failures, skipped, slowest } = readReports()
if (order.signal.aborted) {
  // Processes started by tests may still be ending: the folder is deleted after they have.
  console.log(`\nInterrupted by ${await order.given}.`)
  process.exit(1)
}
rmSync(folder, { recursive: true, force: true })
letFolderGo()

if (slowest.length > SLOWEST_SHOWN)
  console.log(`\nThe slowest files:\n${slowest.slice(0, SLOWEST_SHOWN).join('\n')}`)
console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s`)
if (!redisUrl) console.log('!! Redis could not be found or installed: the suites that need it were SKIPPED.')
console.log(
  `${tests - failures - skipped} passed, ${failures} failed${skipped ? `, ${skipped} skipped` : ''}`,
)
if (failures > 0 && !full)
  console.log(`Crossings were sampled: SEED=${sampleSeed} bun run test … repeats them.`)
process.exit(status === 0 && tests > 0 && failures === 0 ? 0 : 1)

async function runAll() {
  const services = await startServices(folder, order.signal)
  try {
    await makeTemplate(services.databaseUrl)
    const environment = {
      TEST_DATABASE_URL: services.databaseUrl,
      TEST_REDIS_URL: services.redisUrl ?? '',
      TEST_FOLDER: folder,
      TEST_WHOLE: String(full),
      // Production deadlines may be too short on a busy machine.
      TEST_PATIENCE: '10',
      // Deleted after the run, with everything that tests leave in it.
      TMPDIR: folder,
    }
    const files = chosenFiles()
    const statuses = [
      // Each process has its own database and server (test/support/preload.ts).
      await runTests(
        'fast',
        files.filter((file) => !isSlow(file)),
        [`--parallel=${WORKERS}`, '--no-isolate'],
        environment,
      ),
      // These start their own machines, browsers and load.
      await runTests('slow', files.filter(isSlow), [], environment),
    ]
    return { status: Math.max(...statuses), redisUrl: services.redisUrl }
  } finally {
    await services.stop()
  }
}

/** The whole suite, or test files whose path contains an argument, or files outside the suite by path. */
function chosenFiles(): string[] {
  if (chosen.length === 0) return testFiles().filter((file) => full || !isSlow(file))
  const parts = chosen.map((part) => part.replace(/^\.\//, ''))
  const suite = testFiles().filter((file) => parts.some((part) => file.includes(part)))
  const files = [...new Set([...suite, ...parts.filter((part) => part.endsWith('.ts') && existsSync(part))])]
  if (files.length === 0) console.log(`No test file matches ${chosen.join(' or ')}.`)
  return files
}

function runTests(
  part: string,
  files: string[],
  more: string[],
  environment: Record<string, string>,
): Promise<number> {
  if (files.length === 0 || order.signal.aborted) return Promise.resolve(0)
  const flags = ['--timeout', '180000', '--reporter=junit', `--reporter-outfile=${reportOf(part)}`, ...more]
  const child = spawn(process.execPath, ['test', ...flags, ...files.map((file) => `./${file}`)], {
    stdio: 'inherit',
    env: { ...process.env, FOLKMOOT_MODE: 'test', ...environment },
  })
  // The child ends its own children; the databases belong to this process.
  order.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

function readReports() {
  const text = ['fast', 'slow']
    .map(reportOf)
    .filter(existsSync)
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
  const count = (name: string) =>
    [...text.matchAll(new RegExp(`<testsuites[^>]* ${name}="(\\d+)"`, 'g'))].reduce(
      (sum, [, number]) => sum + Number(number),
      0,
    )
  return {
    tests: count('tests'),
    failures: count('failures'),
    skipped: count('skipped'),
    slowest: slowestIn(text),
  }
}

/** One line per file, slowest first. */
function slowestIn(text: string): string[] {
  return [...text.matchAll(/^ {2}<testsuite name="([^"]+)"[^>]* time="([\d.]+)"/gm)]
    .map(([, name = '', seconds]) => ({ name, seconds: Number(seconds) }))
    .sort((one, two) => two.seconds - one.seconds)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)
}
