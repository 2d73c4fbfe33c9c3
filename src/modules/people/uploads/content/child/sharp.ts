import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { PIXELS_AT_MOST } from './headers/judge'
import { DAMAGED, Refusal } from './refusal'

// One picture at a time, by one thread, and nothing kept for the next one.
sharp.cache(false)
sharp.concurrency(1)
// libvips reads many formats, some by programs far larger than these four: none of them gets to see a file.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
})

/** Opens a picture for decoding. What is broken or cut off is an error and not a grey area. */
export const open = (bytes: Uint8Array, options: SharpOptions = {}): Sharp =>
  sharp(bytes, { failOn: 'warning', sequentialRead: true, limitInputPixels: PIXELS_AT_MOST, ...options })

/** The bytes of a picture once encoded. libvips fails on what it cannot decode: that is the file's fault. */
export async function encoded(picture: Sharp): Promise<Buffer> {
  try {
    return await picture.toBuffer()
  } catch {
    throw new Refusal(DAMAGED)
  }
}
