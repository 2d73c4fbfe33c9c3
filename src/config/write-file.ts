import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The mode of a file that all local users can read; undefined if it is closed or missing. */
export function openMode(path: string): number | undefined {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  return (mode & 0o007) === 0 ? undefined : mode
}

/** Creates a private file atomically and durably. An existing file stays: of concurrent writers one wins. */
export function writeOnce(file: string, content: string): void {
  try {
    putWhole(file, content, linkSync)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The same, replacing an existing file. */
export const writeOver = (file: string, content: string) => putWhole(file, content, renameSync)

function putWhole(file: string, content: string, put: (from: string, to: string) => void) {
  const unfinished = `${file}.new-${crypto.randomUUID()}`
  try {
    const descriptor = openSync(unfinished, 'wx', 0o600)
    try {
      writeSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    put(unfinished, file)
    syncFolder(dirname(file))
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function syncFolder(folder: string) {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
