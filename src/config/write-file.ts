import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

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
