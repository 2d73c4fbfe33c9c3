import { constants, type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { centralHeader, directoryEnd, LOCAL_BYTES, localHeader, type Packed } from './headers'

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

type Entry = {
  /** With `/` between folders; the caller has sanitized it. */
  name: string
  at: Date
  /** Compressed content, such as a picture, is stored as it is. */
  isPacked?: boolean
}

/**
 * Streams a ZIP archive into a new file. Fills in the header after the content, so that sizes are where every program expects
 * them, and memory holds only the names. `from` leaves a hole in front, so that tests reach large offsets.
 */
export async function zipWriter(path: string, from = 0) {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
  const entries: Packed[] = []
  let end = from

  const append = async (bytes: Uint8Array) => {
    await writeAt(file, bytes, end)
    end += bytes.byteLength
  }

  return {
    async add({ name, at, isPacked = false }: Entry, content: Content): Promise<void> {
      const entry: Packed = { name, at, isPacked, offset: end, crc: 0, size: 0, packedSize: 0 }
      end += LOCAL_BYTES + Buffer.byteLength(name)
      const measured = measure(entry, content)
      for await (const part of isPacked ? measured : deflated(measured)) {
        entry.packedSize += part.byteLength
        await append(part)
      }
      await writeAt(file, localHeader(entry), entry.offset)
      entries.push(entry)
    },

    /** Ends the archive and returns its size. */
    async finish(): Promise<number> {
      const start = end
      for (const entry of entries) await append(centralHeader(entry))
      await append(directoryEnd({ count: entries.length, start, size: end - start }))
      await file.sync()
      return end
    },

    close: () => file.close(),
  }
}

export type ZipWriter = Awaited<ReturnType<typeof zipWriter>>

async function* measure(entry: Packed, content: Content): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    entry.crc = crc32(part, entry.crc)
    entry.size += part.byteLength
    yield part
  }
}

/** An error of the source reaches the reader. */
function deflated(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(Readable.from(source, { objectMode: false }), createDeflateRaw(), () => {})
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.byteLength; )
    at += (await file.write(bytes, at, bytes.byteLength - at, position + at)).bytesWritten
}
