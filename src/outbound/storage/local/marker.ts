import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageDown } from '../storage'
import { makeFolder, sync } from './durable'
import { listFolder, MARKER } from './list'

const TEXT = 'Folkmoot keeps uploaded files in this folder, and takes it for another one without this file.\n'

/** Whether an empty folder is right: nothing has been stored so far. */
export type MayBegin = () => Promise<boolean>

/**
 * A folder whose disk is not mounted, or whose name is mistyped, looks like an empty one: files would be missed, and new ones
 * lost after the next mount. So the right one holds a marker, which is looked for before each change and where a file is missing.
 */
export function markedFolder(folder: string, mayBegin: MayBegin) {
  const marker = join(folder, MARKER)
  let isSeen = false

  function isThere(): boolean {
    if (existsSync(marker)) isSeen = true
    else if (isSeen)
      throw new StorageDown(
        `The folder ${folder} has lost its file ${MARKER}: check that its disk is mounted`,
      )
    else return false
    return true
  }

  /** Throws unless this is the folder of the files, or may become it. Says whether it has its marker. */
  async function demand(): Promise<boolean> {
    if (isThere()) return true
    if ((await holdsFiles(folder)) || (await mayBegin())) return false
    throw new StorageDown(
      `The folder ${folder} holds none of the files that the database knows: check that its disk is mounted and that STORAGE_URL is right`,
    )
  }

  return {
    demand,
    /** The same for those who cannot wait; whoever keeps what they wrote asks once more. */
    demandAtOnce: (): void => void isThere(),
    /** The same for those who are about to store something: a folder that has no marker yet gets one. */
    async begin(): Promise<void> {
      if (await demand()) return
      await makeFolder(folder)
      await mark(marker)
      await sync(folder)
      isSeen = true
    },
  }
}

/** True for an installation that is older than the marker, too. */
async function holdsFiles(folder: string): Promise<boolean> {
  for await (const _ of listFolder(folder, 'files/')) return true
  return false
}

async function mark(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(TEXT)
    await file.sync()
  } finally {
    await file.close()
  }
}
