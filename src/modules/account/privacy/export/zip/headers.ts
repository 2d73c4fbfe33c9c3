export type Packed = {
  name: string
  at: Date
  isPacked: boolean
  offset: number
  crc: number
  size: number
  packedSize: number
}

/** PKWARE APPNOTE.TXT, 4.3. Names are flagged as UTF-8. */
const UTF8 = 0x0800
const STORED = 0
const DEFLATED = 8
const PLAIN = 20
const ZIP64 = 45
const MADE_ON_UNIX = 3 << 8
/** A regular file, mode 644. */
const MODE = (0o100644 << 16) >>> 0
const FULL_32 = 0xffffffff
const FULL_16 = 0xffff

export const LOCAL_BYTES = 30

export function localHeader(entry: Packed): Uint8Array {
  const name = Buffer.from(entry.name)
  const header = Buffer.alloc(LOCAL_BYTES)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(PLAIN, 4)
  describe(entry, name, header, 6)
  return Buffer.concat([header, name])
}

export function centralHeader(entry: Packed): Uint8Array {
  const name = Buffer.from(entry.name)
  const isFar = entry.offset >= FULL_32
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(MADE_ON_UNIX | ZIP64, 4)
  header.writeUInt16LE(isFar ? ZIP64 : PLAIN, 6)
  describe(entry, name, header, 8)
  header.writeUInt16LE(isFar ? 12 : 0, 30)
  header.writeUInt32LE(MODE, 38)
  header.writeUInt32LE(isFar ? FULL_32 : entry.offset, 42)
  return Buffer.concat([header, name, ...(isFar ? [farOffset(entry.offset)] : [])])
}

/** The common part of both headers. */
function describe(
  { at, isPacked, crc, size, packedSize }: Packed,
  name: Buffer,
  header: Buffer,
  from: number,
) {
  // Our entries are far smaller; fail rather than write a corrupt archive.
  if (Math.max(size, packedSize) >= FULL_32) throw new Error('An entry of an archive is too long')
  if (name.byteLength > FULL_16) throw new Error('The name of an entry is too long')
  header.writeUInt16LE(UTF8, from)
  header.writeUInt16LE(isPacked ? STORED : DEFLATED, from + 2)
  const { date, time } = dosTime(at)
  header.writeUInt16LE(time, from + 4)
  header.writeUInt16LE(date, from + 6)
  header.writeUInt32LE(crc, from + 8)
  header.writeUInt32LE(packedSize, from + 12)
  header.writeUInt32LE(size, from + 16)
  header.writeUInt16LE(name.byteLength, from + 20)
}

function farOffset(offset: number): Buffer {
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(offset), 4)
  return extra
}

/** The end of central directory, with ZIP64 if the numbers need it. */
export function directoryEnd({ count, start, size }: Record<'count' | 'start' | 'size', number>): Uint8Array {
  const isFar = count >= FULL_16 || start >= FULL_32 || size >= FULL_32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, FULL_16), 8)
  end.writeUInt16LE(Math.min(count, FULL_16), 10)
  end.writeUInt32LE(Math.min(size, FULL_32), 12)
  end.writeUInt32LE(Math.min(start, FULL_32), 16)
  return isFar ? Buffer.concat([farEnd(count, start, size), end]) : end
}

function farEnd(count: number, start: number, size: number): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(MADE_ON_UNIX | ZIP64, 12)
  record.writeUInt16LE(ZIP64, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(start + size), 64)
  record.writeUInt32LE(1, 72)
  return record
}

/** A resolution of two seconds, from 1980. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}
