import { DAMAGED, Refusal } from '../refusal'
import type { Header } from './header'

const name = (bytes: DataView, at: number) =>
  String.fromCharCode(...new Uint8Array(bytes.buffer, bytes.byteOffset + at, 4))

/** Chunks of a RIFF file or of a container chunk. */
export function* riffChunks(bytes: DataView, from: number, to: number) {
  for (let at = from; at + 8 <= to; ) {
    const length = bytes.getUint32(at + 4, true)
    if (at + 8 + length > to) throw new Refusal(DAMAGED)
    yield { name: name(bytes, at), at: at + 8, length }
    at += 8 + length + (length & 1)
  }
}

const uint24 = (bytes: DataView, at: number) => bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16)

/** Either a VP8X canvas, or a single image whose stream starts with its dimensions. */
export function webpHeader(bytes: DataView): Header {
  const end = 8 + (bytes.byteLength < 20 ? 0xffffffff : bytes.getUint32(4, true))
  if (end > bytes.byteLength) throw new Refusal(DAMAGED)
  let canvas: { width: number; height: number } | undefined
  let [frames, isLossless] = [0, false]
  for (const chunk of riffChunks(bytes, 12, end)) {
    if (['VP8X', 'VP8L', 'VP8 ', 'ANMF'].includes(chunk.name) && chunk.length < 10) throw new Refusal(DAMAGED)
    canvas ??= sidesOf(bytes, chunk)
    if (chunk.name === 'VP8L') isLossless = true
    if (chunk.name !== 'ANMF') continue
    frames += 1
    const [first] = [...riffChunks(bytes, chunk.at + 16, chunk.at + chunk.length)].slice(-1)
    if (first?.name === 'VP8L') isLossless = true
  }
  if (!canvas) throw new Refusal(DAMAGED)
  return { ...canvas, frames: Math.max(1, frames), isLossless }
}

function sidesOf(bytes: DataView, { name, at }: { name: string; at: number }) {
  if (name === 'VP8X') return { width: uint24(bytes, at + 4) + 1, height: uint24(bytes, at + 7) + 1 }
  if (name === 'VP8 ')
    return {
      width: bytes.getUint16(at + 6, true) & 0x3fff,
      height: bytes.getUint16(at + 8, true) & 0x3fff,
    }
  if (name !== 'VP8L') return undefined
  const bits = bytes.getUint32(at + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
