import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Flushes a file, or the entries of a folder, to disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const FOLDER = { recursive: true, mode: 0o700 } as const

/** Creates a folder that survives a power cut: also flushes the entry of each new parent. */
export async function makeFolder(folder: string): Promise<void> {
  for (const parent of parentsOf(folder, await mkdir(folder, FOLDER))) await sync(parent)
}

/** The same, synchronously; the folder almost always exists. */
export function makeFolderAtOnce(folder: string): void {
  for (const parent of parentsOf(folder, mkdirSync(folder, FOLDER))) {
    const descriptor = openSync(parent, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  }
}

/** The folders with a new entry, given the topmost created folder. */
function parentsOf(folder: string, topmost: string | undefined): string[] {
  if (topmost === undefined) return []
  const parents: string[] = []
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) parents.push(dirname(made))
  return parents
}
