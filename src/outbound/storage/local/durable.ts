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

/** Makes a folder that is still there after a power cut: the entry of each new one is written to the disk, too. */
export async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await sync(dirname(made))
}
