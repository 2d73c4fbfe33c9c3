import { linkSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError } from '@/config/error'
import { sync } from '@/outbound/storage/local/durable'

const DATED = /^folkmoot-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/
const UNFINISHED = '.unfinished-'
/** No backup takes this long: an older file is orphaned. */
const LEFTOVER_MS = 24 * 60 * 60_000

export type Place = { file: string; isInFolder: boolean }

/** The file of a backup: the given one, or a dated one in a folder. Never overwrites. */
export function placeOf(to: string | undefined, at: Date): Place {
  const target = resolve(to ?? '.')
  const found = statSync(target, { throwIfNoEntry: false })
  const isInFolder = to === undefined || found?.isDirectory() === true
  if (found && !isInFolder) throw taken(target)
  const file = isInFolder ? join(target, datedName(at)) : target
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`The folder ${dirname(file)} is missing: make it first, or name another one.`)
  if (lstatSync(file, { throwIfNoEntry: false })) throw taken(file)
  return { file, isInFolder }
}

const datedName = (at: Date) =>
  `folkmoot-${at
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/(\d\d):(\d\d):(\d\d)/g, '$1$2$3')}.backup`

const taken = (file: string) =>
  new ConfigError(`${file} is there already, and nothing is written over: name another file, or a folder.`)

export const unfinishedName = (file: string) => `${file}${UNFINISHED}${crypto.randomUUID().slice(0, 8)}`

export async function putInPlace(unfinished: string, file: string): Promise<void> {
  try {
    linkSync(unfinished, file)
    rmSync(unfinished)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(file)
    // Network shares and USB sticks have no hard links.
    renameSync(unfinished, file)
  }
  await sync(dirname(file))
}

/** Keeps the newest dated backups of a folder, and deletes old leftovers of interrupted ones. */
export function keepNewest(folder: string, count: number): string[] {
  const names = readdirSync(folder)
  const old = names
    .filter((name) => DATED.test(name))
    .sort()
    .slice(0, -count)
  const left = names.filter(
    (name) =>
      DATED.test(name.split(UNFINISHED)[0] ?? '') && name.includes(UNFINISHED) && isOld(join(folder, name)),
  )
  for (const name of [...old, ...left]) rmSync(join(folder, name), { force: true })
  return old.map((name) => basename(name))
}

const isOld = (path: string) =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > LEFTOVER_MS
