import { pipeline } from 'node:stream/promises'
import { constants, createZstdDecompress } from 'node:zlib'
import { ConfigError } from '@/config/error'
import { unrestorable } from '@/db/backup/unrestorable'

/** The most that a part holds before it is compressed; the largest rows of ours are a small part of it. */
const PART_MAX = 64 * 1024 * 1024
/** The memory (a power of two) that a part may ask for to be decompressed: what every reader of zstd has to grant. */
const WINDOW_LOG_MAX = 23
const CHUNK_BYTES = 1024 * 1024

export async function compressed(table: string, rows: Uint8Array): Promise<Uint8Array> {
  if (rows.length > PART_MAX)
    throw new ConfigError(
      `A row of the table ${table} has ${rows.length} bytes, and no backup could bring it back: the most is ${PART_MAX}.`,
    )
  return Bun.zstdCompress(rows as Uint8Array<ArrayBuffer>)
}

/** Gives the rows of a part as they come, so that memory stays as it is whatever the part would grow to. */
export async function decompress(
  name: string,
  content: AsyncIterable<Uint8Array>,
  take: (rows: Uint8Array) => Promise<void>,
): Promise<void> {
  let size = 0
  const reader = createZstdDecompress({
    chunkSize: CHUNK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX },
  })
  try {
    await pipeline(content, reader, async (rows: AsyncIterable<Uint8Array>) => {
      for await (const chunk of rows) {
        size += chunk.length
        if (size > PART_MAX) throw unrestorable(`${name} is larger than any part of a backup`)
        await take(chunk)
      }
    })
  } catch (error) {
    throw isOfZstd(error) ? unrestorable(`${name} cannot be decompressed`) : error
  }
}

const isOfZstd = (error: unknown) => /ZSTD/.test(String((error as NodeJS.ErrnoException).code))
