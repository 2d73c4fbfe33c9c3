import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes what the kernel still holds of a file, or the entries of a folder, to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const FOLDER = { recursive: true, mode: 0o700 } as const

/** Makes a folder that is still there after a power cut: the entry of each new one is written to the disk, too. */
export async function makeFolder(folder: string): Promise<void> {
  for (const parent of parentsOf(folder, await mkdir(folder, FOLDER))) await sync(parent)
}

/** The same for those who cannot wait; it is there already all but once. */
export function makeFolderAtOnce(folder: string): void {
  for (const parent of parentsOf(folder, mkdirSync(folder, FOLDER))) {
    const descriptor = openSync(parent, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  }
}

/** The folders that hold a new entry, given the topmost folder that was made. */
function parentsOf(folder: string, topmost: string | undefined): string[] {
  if (topmost === undefined) return []
  const parents: string[] = []
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) parents.push(dirname(made))
  return parents
}
