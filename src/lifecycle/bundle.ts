import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A bundle's own description: the folder and the Bun that it was made for, and the sources that it was made of. */
export type Stamp = { root: string; bun: string; sources: string[]; state: string }

export const ROOT = join(import.meta.dir, '../..')
export const BUNDLE = join(ROOT, 'dist/folkmoot.js')
export const STAMP = join(ROOT, 'dist/stamp.json')

/**
 * The parts of this process: from the bundle, which loads in half the time, where `bun run build` has made one of the very
 * sources that lie here; otherwise from the sources, one by one. A server that watches its sources wants those.
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

/** Whether the bundle is what a build would make now. */
export function isFresh(): boolean {
  try {
    const { root, bun, sources, state } = JSON.parse(readFileSync(STAMP, 'utf8')) as Stamp
    return root === ROOT && bun === Bun.version && state === stateOf(sources)
  } catch {
    return false
  }
}

/**
 * Sizes and times of files, in whole seconds, as an image or an archive may keep them: reading a thousand files would take
 * as long as the bundle saves.
 */
export function stateOf(sources: string[]): string {
  let text = ''
  for (const source of sources) {
    const { size, mtimeMs } = statSync(join(ROOT, source))
    text += `${size} ${Math.floor(mtimeMs / 1000)}\n`
  }
  return Bun.hash(text).toString(36)
}
