import type { Finding, PictureType } from '../content-types'
import { ENCODERS, type Traits } from './encoders'
import { DAMAGED, Refusal, save } from './refusal'
import { encoded, open, PIXELS_AT_MOST } from './sharp'
import { makeSizes } from './sizes'

const paletteBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/**
 * Counts the frames of a GIF up to `most`, without decoding. libvips takes a GIF that was cut for a shorter animation, and needs 11
 * seconds to count 650,000 frames.
 */
function countFrames(file: Uint8Array, most: number): number {
  const byte = (at: number) => file[at] ?? refuse()
  const afterBlocks = (from: number) => {
    let at = from
    while (byte(at) !== 0) at += 1 + byte(at)
    return at + 1
  }
  let frames = 0
  let at = 13 + paletteBytes(byte(10))
  while (byte(at) !== 0x3b && frames <= most) {
    if (byte(at) === 0x21) at = afterBlocks(at + 2)
    else if (byte(at) === 0x2c) {
      frames += 1
      at = afterBlocks(at + 11 + paletteBytes(byte(at + 9)))
    } else refuse()
  }
  return frames
}

function refuse(): never {
  throw new Refusal(DAMAGED)
}

/** The upload limit, also for re-encoded files. */
const BYTES_AT_MOST = 10 * 1024 * 1024
const SIDE_AT_MOST = 16_383
const FRAMES_AT_MOST = 500
const TOO_MANY_FRAMES = 'The animation has more than 500 frames.'
const SIDE_STORED = 4096

/**
 * Decodes and re-encodes an image in its own type, so that no hidden data survives: upright, sRGB, without metadata, within the
 * limits. An animated PNG becomes its still.
 */
export async function makePicture(
  bytes: Uint8Array,
  type: PictureType,
  nextPath: () => string,
): Promise<Finding> {
  if (type === 'image/gif' && countFrames(bytes, FRAMES_AT_MOST) > FRAMES_AT_MOST)
    throw new Refusal(TOO_MANY_FRAMES)
  const header = await readHeader(bytes)
  const traits: Traits = {
    isPalette: header.isPalette,
    isGrey: header.space === 'b-w' || header.space === 'grey16',
    // libvips does not say it. Lossy bytes that happen to contain the name only become a larger file.
    isLossless: type === 'image/webp' && Buffer.from(bytes.buffer).includes('VP8L'),
  }
  const isAnimated = header.frames > 1
  const stored = await encodeStored(bytes, type, traits, isAnimated)
  const { width, height } = await readHeader(stored)
  const main = await save(stored, nextPath(), type)
  const sizes = await makeSizes({ bytes: stored, type, width, traits, isAnimated }, nextPath)
  return { ok: true, type, main, sizes, width, height }
}

/** Refuses images that are too expensive to decode. Reads the header only, so it needs no pixel limit itself. */
async function readHeader(bytes: Uint8Array) {
  const seen = await open(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Refusal(DAMAGED)
    })
  const { width, height, isPalette, space, pages: frames = 1 } = seen
  if (frames > FRAMES_AT_MOST) throw new Refusal(TOO_MANY_FRAMES)
  if (width > SIDE_AT_MOST || height > SIDE_AT_MOST)
    throw new Refusal('The picture is more than 16,383 pixels wide or high.')
  if (width * height * frames > PIXELS_AT_MOST)
    throw new Refusal('The picture has more than 50 million pixels, all frames counted together.')
  return { width, height, isPalette, space, frames }
}

/** libvips does not rotate animations. */
async function encodeStored(bytes: Uint8Array, type: PictureType, traits: Traits, isAnimated: boolean) {
  const acceptable = Math.min(BYTES_AT_MOST, bytes.length * 1.5 + 4096)
  let best: Buffer | undefined
  for (const encode of ENCODERS[type]) {
    const picture = open(bytes, { animated: isAnimated, autoOrient: !isAnimated }).resize({
      width: SIDE_STORED,
      height: SIDE_STORED,
      fit: 'inside',
      withoutEnlargement: true,
    })
    const made = await encoded(encode(picture.toColourspace(traits.isGrey ? 'b-w' : 'srgb'), traits))
    if (!best || made.length < best.length) best = made
    if (best.length <= acceptable) return best
  }
  if (!best || best.length > BYTES_AT_MOST) throw new Refusal('The picture exceeds 10 MB when re-encoded.')
  return best
}
