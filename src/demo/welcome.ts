import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { config } from '@/config/config'
import { log } from '@/core/log'
import { closeDatabase, connectDatabase } from '@/db/client'
import { waitForServer } from '@/db/migrate/wait-for-server'
import { mayBeginStorage } from '@/modules/people/uploads/present'
import { useMayBegin } from '@/outbound/storage/current'
import { seedPictures } from './pictures/seed'
import { seedDemo } from './seed'
import { type Demo, hasDemoTokens, makeDemo, placesOf } from './tokens'

const STATEMENT_MS = 10_000

/**
 * Seeds the demo community before the server listens, so that the first page is complete. Returns a function that prints the
 * greeting.
 */
export async function prepareDemo(databaseUrl: string): Promise<() => void> {
  connectDatabase(databaseUrl, { max: 2, statementTimeoutMs: STATEMENT_MS, name: 'folkmoot-demo' })
  useMayBegin(mayBeginStorage)
  try {
    const demo = await waitForServer(fillDemo, (fault) => log.warn('waiting for the database', { fault }))
    await seedPictures()
    return () => {
      writeDemo(demo)
      console.log(greeting(demo))
    }
  } finally {
    await closeDatabase()
  }
}

/** Idempotent, so that it can be retried while the database is slow. */
async function fillDemo(): Promise<Demo> {
  await seedDemo()
  const known = readDemo()
  return (await hasDemoTokens(known))
    ? { ...(known as Demo), ...(await placesOf()), baseUrl: config.baseUrl }
    : makeDemo(config.baseUrl)
}

const file = join(config.dataDir, 'demo.json')

function readDemo(): Demo | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo
  } catch {
    return undefined
  }
}

/** Atomic by rename: programs that wait for the file never read half of it. */
function writeDemo(demo: Demo) {
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function greeting({ baseUrl, people, passes }: Demo): string {
  const [first] = people
  const pass = passes.find(({ username }) => username !== null && username !== first?.username)
  const toTap = pass
    ? `\n  Pass      ${baseUrl}/pass/${pass.id}   (${pass.username}; with /qr.png behind it, the symbol to scan)`
    : ''
  const token = first?.token ?? ''
  return `
Folkmoot is ready.

  Address   ${baseUrl}
  Docs      ${baseUrl}/docs
  Sign in   ${baseUrl}/login   (mail arrives at ${baseUrl}/dev/mailbox)
  Token     ${token}   (${first?.username})${toTap}
  Everyone  ${file}

Try it:

  curl -H "Authorization: Bearer ${token}" ${baseUrl}/v1/me

  curl -X PATCH -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" \\
    -d '{"bio": "Hello from my terminal."}' ${baseUrl}/v1/profile

  curl -X POST -H "Authorization: Bearer ${token}" ${baseUrl}/v1/users/${people[3]?.username}/follow

Ctrl-C stops everything. Your data stays in ${config.dataDir}
`
}
