import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from './error'
import { wrongOwner } from './owner'

/** Our own files; PostgreSQL sets the modes of its files. */
const PRIVATE = [
  'secret-key',
  'postgres-password',
  'postgres.log',
  'postgres.log.1',
  'server.lock',
  'demo.json',
  'restore-unfinished',
]
const SIGNS = new Set(['postgres', 'postgres-password', 'secret-key'])
const PRIVATE_MODE = 0o600

/** PostgreSQL does not run as root: started by root, it belongs to another user, who must pass through the folder. */
const folderMode = () => (process.getuid?.() === 0 ? 0o711 : 0o700)

let readOnly = false

/** For a read-only command, which reports open or wrong modes instead of fixing them. */
export const setReadOnly = () => {
  readOnly = true
}

export const isReadOnly = () => readOnly

/** Creates the data folder, and closes an open one: it holds personal data and the secret key. */
export function closedDataFolder(dataDir: string): void {
  if (readOnly) return
  const mode = folderMode()
  const first = mkdirSync(dataDir, { recursive: true, mode })
  if (first !== undefined) closeNew(dataDir, resolve(first), mode)
  const found = statSync(dataDir).mode & 0o7777
  if ((found & 0o777 & ~mode) !== 0) close(dataDir, found, mode)
  for (const name of PRIVATE) closeFile(join(dataDir, name))
}

/** Places in the data folder that other users can read, with their modes. */
export function exposedPaths(dataDir: string): { path: string; mode: number }[] {
  const folder = { path: dataDir, allowed: folderMode() }
  const cluster = { path: join(dataDir, 'postgres'), allowed: 0o700 }
  const files = PRIVATE.map((name) => ({ path: join(dataDir, name), allowed: PRIVATE_MODE }))
  return [folder, cluster, ...files].flatMap(({ path, allowed }) => {
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    return (mode & 0o077 & ~allowed) === 0 ? [] : [{ path, mode }]
  })
}

/** Sets the mode of each folder that we created, independent of the umask. */
function closeNew(dataDir: string, topmost: string, mode: number) {
  for (let folder = dataDir; folder.startsWith(topmost); folder = dirname(folder)) chmodSync(folder, mode)
}

function close(dataDir: string, found: number, mode: number) {
  // A folder with the sticky bit is shared: closing it would lock out others.
  if ((found & 0o1000) !== 0) throw open(dataDir, found, 'and made for sharing')
  if (!isOurs(dataDir)) throw open(dataDir, found, 'and holds what is not of Folkmoot')
  try {
    chmodSync(dataDir, found & mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    throw new ConfigError(
      wrongOwner(dataDir, dataDir) ??
        `The data folder ${dataDir} is open to others (mode ${found.toString(8)}): run "chmod go= ${dataDir}".`,
    )
  }
}

function isOurs(dataDir: string): boolean {
  const names = readdirSync(dataDir).filter((name) => name !== 'lost+found')
  return names.length === 0 || names.some((name) => SIGNS.has(name))
}

function closeFile(path: string) {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isFile() && (found.mode & 0o077) !== 0) chmodSync(path, PRIVATE_MODE)
}

const open = (dataDir: string, found: number, why: string) =>
  new ConfigError(
    `The data folder ${dataDir} is open to others (mode ${found.toString(8)}) ${why}: ` +
      'set DATA_DIR to a new folder inside it, which Folkmoot creates.',
  )
