import type { FileHandle } from 'node:fs/promises'
import { MANIFEST, MANIFEST_SUM, sumsName } from './names'
import { END, headerOf, paddingOf } from './tar'

/** Entries per list of checksums, which bounds the memory. */
export const LIST_MAX = 1000

/** Writes an archive sequentially, holding only the checksums of the last entries. */
export function archiveWriter(file: FileHandle, at: Date) {
  const seconds = Math.floor(at.getTime() / 1000)
  const lists: string[] = []
  let list: string[] = []

  async function write(bytes: Uint8Array) {
    for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten
  }

  /** The content must have this size. Returns its SHA-256. */
  async function put(
    name: string,
    size: number,
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const hash = new Bun.CryptoHasher('sha256')
    await write(headerOf({ name, size, seconds }))
    let written = 0
    for await (const chunk of content) {
      hash.update(chunk)
      await write(chunk)
      written += chunk.length
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`)
    await write(new Uint8Array(paddingOf(size)))
    return hash.digest('hex')
  }

  async function closeList() {
    if (list.length === 0) return
    const text = Buffer.from(list.join(''))
    list = []
    lists.push(await put(sumsName(lists.length + 1), text.length, [text]))
  }

  async function addStream(name: string, size: number, content: AsyncIterable<Uint8Array>) {
    list.push(line(await put(name, size, content), name))
    if (list.length === LIST_MAX) await closeList()
  }

  return {
    addStream,
    add: (name: string, bytes: Uint8Array) => addStream(name, bytes.length, once(bytes)),
    /** Ends the archive. The manifest names the lists of checksums, so its own checksum covers everything. */
    async finish(manifest: object) {
      await closeList()
      const text = Buffer.from(`${JSON.stringify({ ...manifest, lists }, null, 2)}\n`)
      const sum = Buffer.from(line(await put(MANIFEST, text.length, [text]), MANIFEST))
      await put(MANIFEST_SUM, sum.length, [sum])
      await write(END)
      await file.sync()
    },
  }
}

export const line = (sum: string, name: string) => `${sum}  ${name}\n`

async function* once(bytes: Uint8Array) {
  yield bytes
}

export type ArchiveWriter = ReturnType<typeof archiveWriter>
