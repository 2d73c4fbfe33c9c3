import type { Sharp } from 'sharp'
import { type Made, type PictureType, WIDTHS } from '../content-types'
import { NEWER, SMALL, type Traits, WEBP } from './encoders'
import { DAMAGED, Refusal, save } from './refusal'
import { encoded, open } from './sharp'

type Stored = { bytes: Uint8Array; type: PictureType; width: number; traits: Traits; isAnimated: boolean }
type Small = { contentType: string; bytes: Buffer }

/**
 * Writes smaller sizes in the original type, and in WebP or AVIF if worthwhile. Images with few colors can grow when scaled down,
 * because blended edges add colors: versions not smaller than the original are skipped.
 */
export async function makeSizes(stored: Stored, nextPath: () => string) {
  const widths = WIDTHS.filter((width) => width < stored.width)
  const still = await decoded(stored, widths[0])
  const made: (Made & { width: number })[] = []
  for (const width of widths)
    for (const { bytes, contentType } of worthKeeping(await smaller(stored, still, width), stored))
      made.push({ ...(await save(bytes, nextPath(), contentType)), width })
  return made
}

/** The still or first frame, decoded once at the largest width. */
async function decoded({ bytes }: Stored, width: number | undefined): Promise<() => Sharp> {
  if (width === undefined) return () => open(bytes)
  const { data, info } = await open(bytes)
    .resize({ width })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new Refusal(DAMAGED)
    })
  return () => open(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
}

/** A kept still always has its animated counterpart, even if that is larger. */
function worthKeeping([own, ...newer]: [Small, ...Small[]], stored: Stored): Small[] {
  const isLighter = ({ bytes }: Small) => bytes.length < stored.bytes.length
  return isLighter(own) ? [own, ...newer] : newer.filter(isLighter)
}

function smaller(stored: Stored, still: () => Sharp, width: number): Promise<[Small, ...Small[]]> {
  return stored.isAnimated ? smallerAnimation(stored, still, width) : smallerStill(stored, still, width)
}

async function smallerStill(
  { type, traits }: Stored,
  still: () => Sharp,
  width: number,
): Promise<[Small, ...Small[]]> {
  const own: Small = {
    contentType: type,
    bytes: await encoded(SMALL[type](still().resize({ width }), traits)),
  }
  let best = own
  for (const [contentType, encode] of NEWER) {
    // One file per type and size.
    if (contentType === type) continue
    const bytes = await encoded(encode(still().resize({ width })))
    if (bytes.length < best.bytes.length) best = { contentType, bytes }
  }
  return best === own ? [own] : [own, best]
}

/** An animated GIF takes seconds per size and ten times the bytes of WebP, so small GIFs are stills. */
async function smallerAnimation(
  { bytes, type, traits }: Stored,
  still: () => Sharp,
  width: number,
): Promise<[Small, ...Small[]]> {
  const moving = open(bytes, { animated: true }).resize({ width })
  const webp = { contentType: 'image/webp', bytes: await encoded(WEBP(moving)) }
  if (type === 'image/webp') return [webp]
  return [{ contentType: type, bytes: await encoded(SMALL[type](still().resize({ width }), traits)) }, webp]
}
