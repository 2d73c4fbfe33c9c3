import { existsSync, readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { config } from '@/config/config'
import { exposedPaths } from '@/config/data-folder'
import { keyMismatch } from '@/config/secret-key'
import { openMode } from '@/config/write-file'
import { holderOf } from '@/db/data-lock'
import { bytes } from '../units'
import { type Finding, ok, split, warning, wrong } from './finding'

/** Secrets in files that other local users can read. */
export function checkFiles(): Finding[] {
  const places = [
    ...exposedPaths(config.dataDir).map((place) => ({ ...place, close: 'go=' })),
    // The server may read the settings by their group.
    ...openSettings().map((place) => ({ ...place, close: 'o=' })),
  ]
  if (places.length === 0) return [ok('files', `${config.dataDir} is closed to others.`)]
  return places.map(({ path, mode, close }) =>
    wrong(
      'files',
      `${path} is open to others (mode ${mode.toString(8)}).`,
      `Close it: chmod ${close} '${path}'`,
    ),
  )
}

/** The env files given to Bun, and those it reads from its working folder. */
function openSettings(): { path: string; mode: number }[] {
  const given = process.execArgv.flatMap((word) => /^--env-file=(.+)$/.exec(word)?.slice(1) ?? [])
  return [...given, '.env'].flatMap((path) => {
    const mode = openMode(path)
    return mode === undefined ? [] : [{ path, mode }]
  })
}

/** Whether two keys exist for the embedded database. */
export function checkStoredKey(): Finding[] {
  const { databaseUrl, secretKey, dataDir } = config
  const doubt = databaseUrl === null ? keyMismatch(secretKey, dataDir) : undefined
  return doubt === undefined ? [] : [split('key', doubt)]
}

const FILES_FEW = 4096
const FILES_TOO_FEW = 1024

/** Each connection is an open file. Reads the limit of the running server: a shell has another. */
export function checkOpenFiles(): Finding[] {
  const server = holderOf(config.dataDir)
  const limits = `/proc/${server ?? 'self'}/limits`
  if (!existsSync(limits)) return []
  const [, limit = 'unlimited'] = /^Max open files\s+(\S+)/m.exec(readFileSync(limits, 'utf8')) ?? []
  const found = `${server === undefined ? 'A process started from here' : 'The server'} may open ${limit}.`
  const todo = 'Raise it: LimitNOFILE=65536 in the systemd unit, or "ulimit -n 65536" before the start.'
  const count = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
  if (count < FILES_TOO_FEW) return [wrong('open files', found, todo)]
  return [count < FILES_FEW ? warning('open files', found, todo) : ok('open files', found)]
}

const FREE_BYTES_MIN = 2 * 1024 ** 3

export async function checkDisks(): Promise<Finding[]> {
  const { address, keepFree } = config.storage
  const folders = [config.dataDir, ...(address.kind === 'disk' ? [address.folder] : [])].filter(existsSync)
  const disks = new Map(folders.map((folder) => [statSync(folder).dev, folder]))
  return Promise.all([...disks.values()].map((folder) => checkDisk(folder, keepFree)))
}

async function checkDisk(folder: string, keepFree: number): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const found = `${bytes(free)} are free for ${folder}.`
  const todo = `Free some space or take a larger disk: below ${bytes(keepFree)} (STORAGE_KEEP_FREE) uploads are refused.`
  if (free < keepFree) return wrong('disk', found, todo)
  return free < FREE_BYTES_MIN ? warning('disk', found, todo) : ok('disk', found)
}
