import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from './bootstrap'

const FAST = ['test/house', 'test/modules', 'test/attacks', 'test/races', 'test/clients']
const SLOW = ['test/faults', 'test/fuzz', 'test/browser']

process.chdir(join(import.meta.dir, '..'))
await bootstrap({ development: true })
const { startServices } = await import('../test/support/services')
const { makeTemplate } = await import('../test/support/template')

const full = process.argv.includes('--full')
const chosen = process.argv.slice(2).filter((argument) => argument !== '--full')
const folder = mkdtempSync(join(tmpdir(), 'folkmoot-test-'))
const report = join(folder, 'report.xml')
const startedAt = performance.now()

const services = await startServices(folder)
let status = 1
try {
  await makeTemplate(services.databaseUrl)
  status = await runTests({
    TEST_DATABASE_URL: services.databaseUrl,
    TEST_REDIS_URL: services.redisUrl ?? '',
    TEST_FOLDER: folder,
  })
} finally {
  await services.stop()
}
const { tests, failures, skipped } = readReport()
rmSync(folder, { recursive: true, force: true })

console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s`)
if (!services.redisUrl)
  console.log('!! Redis could not be found or installed: the suites that need it were SKIPPED.')
console.log(
  `${tests - failures - skipped} passed, ${failures} failed${skipped ? `, ${skipped} skipped` : ''}`,
)
process.exit(status === 0 && tests > 0 && failures === 0 ? 0 : 1)

function runTests(environment: Record<string, string>): Promise<number> {
  const paths = chosen.length > 0 ? chosen : [...FAST, ...(full ? SLOW : [])]
  const flags = ['--timeout', full ? '180000' : '60000', '--reporter=junit', `--reporter-outfile=${report}`]
  const child = spawn(process.execPath, ['test', ...flags, ...paths], {
    stdio: 'inherit',
    env: { ...process.env, FOLKMOOT_MODE: 'test', ...environment },
  })
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

function readReport() {
  const count = (text: string, name: string) =>
    Number(new RegExp(`<testsuites[^>]* ${name}="(\\d+)"`).exec(text)?.[1] ?? 0)
  try {
    const text = readFileSync(report, 'utf8')
    return { tests: count(text, 'tests'), failures: count(text, 'failures'), skipped: count(text, 'skipped') }
  } catch {
    return { tests: 0, failures: 1, skipped: 0 }
  }
}
