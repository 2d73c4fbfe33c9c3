import { crc32, deflateSync } from 'node:zlib'
import { type QrSymbol, QUIET_ZONE } from './qr'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Row filters (PNG, 9.2): none, or up. */
const AS_IT_IS = 0
const AS_ABOVE = 2

/**
 * A 1-bit PNG, encoded here because an image library takes ten times as long. Modules have a whole number of pixels, which keeps
 * edges sharp; the rest is margin.
 */
export function pngOf(symbol: QrSymbol, size: number): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([1, 0, 0, 0, 0], 8) // 1 bit, grayscale, deflate, default filters, not interlaced
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rowsOf(symbol, size))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function rowsOf({ size, isDark }: QrSymbol, width: number): Uint8Array {
  const scale = Math.floor(width / (size + 2 * QUIET_ZONE))
  const start = Math.floor((width - size * scale) / 2)
  const length = 1 + Math.ceil(width / 8)
  const rows = new Uint8Array(length * width)
  const white = new Uint8Array(length).fill(0xff)
  white[0] = AS_IT_IS
  const put = (y: number, row: Uint8Array) => rows.set(row, y * length)
  const repeat = (from: number, to: number) => {
    for (let y = from; y < to; y += 1) rows[y * length] = AS_ABOVE
  }
  put(0, white)
  repeat(1, start)
  for (let y = 0; y < size; y += 1) {
    const row = white.slice()
    for (let x = 0; x < size * scale; x += 1) if (isDark(Math.floor(x / scale), y)) darken(row, start + x)
    put(start + y * scale, row)
    repeat(start + y * scale + 1, start + (y + 1) * scale)
  }
  put(start + size * scale, white)
  repeat(start + size * scale + 1, width)
  return rows
}

const darken = (row: Uint8Array, x: number) => {
  row[1 + (x >> 3)] = (row[1 + (x >> 3)] as number) & ~(0x80 >> (x & 7))
}

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
