import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folder, Bun version and sources that a bundle was made for. */
export type Stamp = { root: string; bun: string; sources: string[]; state: string }

export const ROOT = join(import.meta.dir, '../..')
export const BUNDLE = join(ROOT, 'dist/folkmoot.js')
export const STAMP = join(ROOT, 'dist/stamp.json')

/**
 * The modules of this process: from the bundle, which loads in half the time, if `bun run build` made it from exactly these
 * sources; otherwise from the sources. `--watch` needs the sources.
 */
export async function loadParts<T>(fromSources: () => Promise<{ parts: T }>): Promise<T> {
  const isWatching = process.execArgv.includes('--watch')
  const found = !isWatching && isFresh() ? await fromBundle<T>() : undefined
  return found ?? (await fromSources()).parts
}

const fromBundle = <T>(): Promise<T | undefined> =>
  import(BUNDLE).then(
    (bundle: { parts: T }) => bundle.parts,
    () => undefined,
  )

export function isFresh(): boolean {
  try {
    const { root, bun, sources, state } = JSON.parse(readFileSync(STAMP, 'utf8')) as Stamp
    return root === ROOT && bun === Bun.version && state === stateOf(sources)
  } catch {
    return false
  }
}

/**
 * Sizes and times of files in whole seconds, which images and archives preserve: reading a thousand files would cost what the
 * bundle saves.
 */
export function stateOf(sources: string[]): string {
  let text = ''
  for (const source of sources) {
    const { size, mtimeMs } = statSync(join(ROOT, source))
    text += `${size} ${Math.floor(mtimeMs / 1000)}\n`
  }
  return Bun.hash(text).toString(36)
}

/** The first line of each source in the bundle. */
type Beginning = [line: number, source: string]

export const BEGINNINGS = join(ROOT, 'dist/sources.json')

/** The bundler writes the name of each source before it. */
export function beginningsIn(bundle: string, sources: ReadonlySet<string>): Beginning[] {
  return bundle.split('\n').flatMap((text, at): Beginning[] => {
    const name = text.startsWith('// ') ? text.slice(3) : ''
    return sources.has(name) ? [[at + 1, name]] : []
  })
}

let beginnings: Beginning[] | undefined

/** The source of a line; undefined if unknown in the bundle. */
export function sourceOf(file: string, line: number): string | undefined {
  if (file !== BUNDLE) return file
  beginnings ??= readBeginnings()
  return beginnings.findLast(([first]) => first <= line)?.[1]
}

function readBeginnings(): Beginning[] {
  try {
    return JSON.parse(readFileSync(BEGINNINGS, 'utf8')) as Beginning[]
  } catch {
    return []
  }
}
