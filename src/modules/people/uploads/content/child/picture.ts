import type { PictureType } from '../content-types'
import type { Finding } from '../finding'
import { ENCODERS, type Traits } from './encoders'
import type { Header } from './headers/header'
import { judgeHeader } from './headers/judge'
import { BYTES_AT_MOST } from './limits'
import { DAMAGED, Refusal } from './refusal'
import { save } from './save'
import { encoded, open } from './sharp'
import { makeSizes } from './sizes'

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
  const header = judgeHeader(bytes, type)
  const traits = await traitsOf(bytes, header)
  const isAnimated = header.frames > 1
  const stored = await encodeStored(bytes, type, traits, isAnimated)
  const { width, height } = judgeHeader(stored, type)
  const main = await save(stored, nextPath(), type)
  const sizes = await makeSizes({ bytes: stored, type, width, traits, isAnimated }, nextPath)
  return { ok: true, type, main, sizes, width, height }
}

/** Refuses files that libvips reads as larger than the header check did. */
async function traitsOf(bytes: Uint8Array, header: Header): Promise<Traits> {
  const seen = await open(bytes)
    .metadata()
    .catch(() => undefined)
  if (!seen || seen.width > header.width || seen.height > header.height || (seen.pages ?? 1) > header.frames)
    throw new Refusal(DAMAGED)
  return {
    isPalette: seen.isPalette,
    isLossless: header.isLossless === true,
    isGrey: seen.space === 'b-w' || seen.space === 'grey16',
  }
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
  if (!best || best.length > BYTES_AT_MOST)
    throw new Refusal('The picture becomes larger than 10 MB when it is encoded anew.')
  return best
}
