import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { DAMAGED, Refusal } from './refusal'

/** All frames of an animation together: they are decoded at once. */
export const PIXELS_AT_MOST = 50_000_000

// One image at a time on one thread, without caching.
sharp.cache(false)
sharp.concurrency(1)
// libvips supports many formats, some with far larger decoders: only these four are enabled.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
})

/** Truncated or corrupt images are errors, not gray areas. */
export const open = (bytes: Uint8Array, options: SharpOptions = {}): Sharp =>
  sharp(bytes, { failOn: 'warning', sequentialRead: true, limitInputPixels: PIXELS_AT_MOST, ...options })

/** libvips errors mean that the file is at fault. */
export async function encoded(picture: Sharp): Promise<Buffer> {
  try {
    return await picture.toBuffer()
  } catch {
    throw new Refusal(DAMAGED)
  }
}
