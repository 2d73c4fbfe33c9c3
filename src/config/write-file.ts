import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a private file that is there with all of its content or not at all, whatever becomes of the process or the
 * disk meanwhile. A file that is there already stays as it is: of several writers at once, one wins.
 */
export function writeOnce(file: string, content: string): void {
  try {
    putWhole(file, content, linkSync)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The same, in the place of a file that may be there. */
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
