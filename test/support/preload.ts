import { afterAll } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listenForOrder } from '@/lifecycle/order-to-stop'
import { cloneDatabase } from './template'

const adminUrl = process.env.TEST_DATABASE_URL
if (!adminUrl) {
  console.error(
    '\nThe tests need their database: run "bun run test", or "bun run test test/house" for a part.\n',
  )
  process.exit(1)
}

// Interrupted, or left alone by whoever runs the tests: whatever they have started is ended with the process.
void listenForOrder().given.then(() => process.exit(1))

// Before anything else of src is imported: configuration is read once.
process.env.DATABASE_URL = await cloneDatabase(adminUrl)
// Test processes that run side by side share a Redis, each with a database of its own in it.
if (process.env.TEST_REDIS_URL && process.env.BUN_TEST_WORKER_ID)
  process.env.TEST_REDIS_URL += `/${process.env.BUN_TEST_WORKER_ID}`
process.env.PORT = '0'
process.env.LOG_LEVEL ??= 'silent'
process.env.SECRET_KEY = 'a-key-for-tests-only-0123456789abcdef'
process.env.BASE_URL = 'http://localhost'
process.env.ALLOWED_ORIGINS = 'https://app.folkmoot.example'
// Receivers of tests are at 127.0.0.1; every other address inside is refused, as it would be anywhere. These names are
// an operator's, for administrators.
process.env.WEBHOOK_ALLOW_HOSTS = 'hooks.folkmoot.test,169.254.169.254'
process.env.TRUSTED_PROXIES = '127.0.0.0/8'
// A folder for each process: some tests count what is in it.
const uploads = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'uploads-'))
// Marked as in use, since some tests write rows of files that nobody stored.
writeFileSync(join(uploads, '.folkmoot-storage'), '')
process.env.STORAGE_URL = pathToFileURL(uploads).href
delete process.env.REDIS_URL

const { startApi } = await import('@/processes/start-api')
const { useApi } = await import('./api')
useApi(await startApi(process.env.DATABASE_URL))
const { clearDatabase } = await import('./clear-database')
const { setPatience } = await import('@/core/patience')
setPatience(Number(process.env.TEST_PATIENCE ?? 1))
afterAll(clearDatabase)
