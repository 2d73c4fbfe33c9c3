import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'

const root = join(import.meta.dir, '../..')
// A mutant may make the tests hang.
const PATIENCE_MS = 240_000

type Services = { databaseUrl: string; redisUrl: string | undefined }
export type Run = { passed: boolean; noticedBy: string | undefined }

/** An isolated copy: its own working tree, template database and Redis database. */
export async function openLane(folder: string, number: number, services: Services) {
  const tree = join(folder, `tree-${number}`)
  const template = `lane_${number}`
  copyTree(tree)
  const environment = {
    ...process.env,
    FOLKMOOT_MODE: 'test',
    TEST_WHOLE: 'true',
    TEST_DATABASE_URL: services.databaseUrl,
    TEST_REDIS_URL: services.redisUrl ? `${services.redisUrl}/${number}` : '',
    TEST_FOLDER: folder,
    TEST_TEMPLATE: template,
  }
  let running: ChildProcess | undefined
  let hasTemplate = false

  const bun = (args: string[]): Promise<{ status: number; output: string }> =>
    new Promise((resolve) => {
      let output = ''
      const child = spawn(process.execPath, args, { cwd: tree, env: environment, detached: true })
      running = child
      const timer = setTimeout(() => end(child), PATIENCE_MS)
      child.stdout.on('data', (chunk) => (output += chunk))
      child.stderr.on('data', (chunk) => (output += chunk))
      child.on('exit', (code) => {
        clearTimeout(timer)
        end(child)
        resolve({ status: code ?? 1, output })
      })
    })

  const dropDatabases = async (like: string) => {
    const admin = postgres(services.databaseUrl, { max: 1, onnotice: () => {} })
    for (const { datname } of await admin`select datname from pg_database where datname like ${like}`)
      await admin.unsafe(`drop database if exists ${datname} with (force)`)
    await admin.end()
  }

  const makeTemplate = async () => {
    await dropDatabases(`${template}%`)
    const { status, output } = await bun(['test/support/make-template.ts'])
    hasTemplate = status === 0
    return { isMade: hasTemplate, output }
  }

  return {
    has: (path: string) => existsSync(join(tree, path)),
    read: (file: string) => readFileSync(join(tree, file), 'utf8'),

    /** Runs tests in the copy. Applies `changes` before and reverts them afterwards. */
    async run(tests: string[], changes: Record<string, string> = {}): Promise<Run> {
      const before = Object.keys(changes).map((file) => [file, readFileSync(join(tree, file))] as const)
      for (const [file, text] of Object.entries(changes)) writeFileSync(join(tree, file), text)
      const isSchema = Object.keys(changes).some((file) => file.startsWith('migrations/'))
      try {
        if (isSchema) hasTemplate = false
        if (!hasTemplate) {
          const made = await makeTemplate()
          if (!made.isMade && isSchema) return { passed: false, noticedBy: 'the migrations do not run' }
          if (!made.isMade) throw new Error(`The template database could not be made:\n${made.output}`)
        }
        const { status, output } = await bun(['test', '--bail', '--timeout', '60000', ...tests])
        return { passed: status === 0, noticedBy: /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/m.exec(output)?.[1] }
      } finally {
        for (const [file, text] of before) writeFileSync(join(tree, file), text)
        if (isSchema) hasTemplate = false
        await dropDatabases(`${template}\\_%`)
      }
    },

    stop() {
      if (running) end(running)
    },
  }
}

export type Lane = Awaited<ReturnType<typeof openLane>>

/** Ends tests together with the servers they started. */
function end(child: ChildProcess) {
  try {
    process.kill(-(child.pid as number), 'SIGKILL')
  } catch {
    // Already ended.
  }
}

/** The working tree as git sees it, including uncommitted changes; packages are shared. */
function copyTree(target: string) {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).stdout
  for (const file of listed.split('\0').filter(Boolean)) {
    mkdirSync(join(target, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(target, file), { force: true, errorOnExist: false })
  }
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'))
}
