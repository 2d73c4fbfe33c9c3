import { pipeline } from 'node:stream/promises'
import { constants, createZstdDecompress } from 'node:zlib'
import { ConfigError } from '@/config/error'
import { unrestorable } from '@/db/backup/unrestorable'

/** Maximum uncompressed size of a part; our largest rows are much smaller. */
const PART_MAX = 64 * 1024 * 1024
/** Maximum decompression window (power of two), which every zstd reader must support. */
const WINDOW_LOG_MAX = 23
const CHUNK_BYTES = 1024 * 1024

export async function compressed(table: string, rows: Uint8Array): Promise<Uint8Array> {
  if (rows.length > PART_MAX)
    throw new ConfigError(
      `A row of the table ${table} has ${rows.length} bytes, and no backup could bring it back: the most is ${PART_MAX}.`,
    )
  return Bun.zstdCompress(rows as Uint8Array<ArrayBuffer>)
}

/** Streams the rows of a part, so that memory is bounded for any size. */
export async function decompress(
  name: string,
  content: AsyncIterable<Uint8Array>,
  take: (rows: Uint8Array) => Promise<void>,
): Promise<void> {
  let size = 0
  let head = Buffer.alloc(0)
  async function* watched() {
    for await (const chunk of content) {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES)
      yield chunk
    }
  }
  const reader = createZstdDecompress({
    chunkSize: CHUNK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX },
  })
  try {
    await pipeline(watched(), reader, async (rows: AsyncIterable<Uint8Array>) => {
      for await (const chunk of rows) {
        size += chunk.length
        if (size > PART_MAX) throw unrestorable(`${name} is larger than any part of a backup`)
        await take(chunk)
      }
    })
  } catch (error) {
    throw isOfZstd(error) ? undecompressed(name) : error
  }
  // The reader accepts a truncated frame.
  if (size !== sizeIn(head)) throw undecompressed(name)
}

const undecompressed = (name: string) => unrestorable(`${name} cannot be decompressed`)

const HEAD_BYTES = 18

/** The size declared in a frame header, which `compressed` always writes (RFC 8878, 3.1.1.1). */
function sizeIn(head: Buffer): number | undefined {
  const descriptor = head[4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  const at = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number)
  const length = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] as number
  if (length === 0 || head.length < at + length) return undefined
  if (length === 8) return Number(head.readBigUInt64LE(at))
  return head.readUIntLE(at, length) + (length === 2 ? 256 : 0)
}

const isOfZstd = (error: unknown) => /ZSTD/.test(String((error as NodeJS.ErrnoException).code))
