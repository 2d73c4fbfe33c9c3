/** Files that no encoder would write, byte by byte. */

export const uint32 = (number: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

export const uint32Little = (number: number) => uint32(number).reverse()
const uint16Little = (number: number) => Buffer.from([number & 255, number >> 8])

export function pngChunk(type: string, data: Uint8Array | string) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data as string)])
  return Buffer.concat([uint32(body.length - 4), body, uint32(Bun.hash.crc32(body))])
}

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG that says that it is this large, and holds little. */
export const pngOf = (width: number, height: number, data = Bun.deflateSync(Buffer.alloc(64))) =>
  Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
    pngChunk('IDAT', Buffer.concat([Buffer.from([0x78, 0x9c]), data])),
    pngChunk('IEND', ''),
  ])

/** Puts chunks behind the header of a PNG. */
export const pngWith = (png: Uint8Array, ...chunks: Uint8Array[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

/** Puts a segment behind the first two bytes of a JPEG. */
export const jpegWith = (jpeg: Uint8Array, marker: number, payload: Uint8Array | string) => {
  const data = Buffer.from(payload as string)
  const head = Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)])
}

/** A GIF of one-pixel frames on a canvas of this size. */
export function gifOf(width: number, height: number, frames: number, [wide, high] = [1, 1]) {
  const screen = Buffer.concat([uint16Little(width), uint16Little(height), Buffer.from([0x80, 0, 0])])
  const frame = Buffer.concat([
    Buffer.from('2c00000000', 'hex'),
    uint16Little(wide ?? 1),
    uint16Little(high ?? 1),
    Buffer.from('000202440100', 'hex'),
  ])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    Buffer.from('000000ffffff', 'hex'),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from(';'),
  ])
}

/** EXIF by hand: an orientation, a camera and a place in GPS. */
export function exif(orientation: number) {
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([uint16Little(tag), uint16Little(type), uint32Little(count), value])
  const short = (number: number) => Buffer.concat([uint16Little(number), Buffer.alloc(2)])
  const gps = [
    uint16Little(2),
    entry(1, 2, 2, Buffer.from('N\0\0\0')),
    entry(2, 5, 3, uint32Little(92)),
    uint32Little(0),
  ]
  return Buffer.concat([
    Buffer.from('Exif\0\0II*\0'),
    uint32Little(8),
    uint16Little(3),
    entry(0x010f, 2, 12, uint32Little(116)),
    entry(0x0112, 3, 1, short(orientation)),
    entry(0x8825, 4, 1, uint32Little(50)),
    uint32Little(0),
    ...gps,
    Buffer.alloc(12),
    ...[52, 1, 31, 1, 12, 1].map(uint32Little),
    Buffer.from('SpyCam 3000\0'),
  ])
}

export function glbChunk(type: string, data: Uint8Array | string, padding: string) {
  const bytes = Buffer.from(data as string)
  const filled = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, padding)])
  return Buffer.concat([uint32Little(filled.length), Buffer.from(type), filled])
}

export function glbFile(...chunks: Uint8Array[]) {
  const body = Buffer.concat(chunks)
  return Buffer.concat([Buffer.from('glTF'), uint32Little(2), uint32Little(12 + body.length), body])
}
