import type { Sharp } from 'sharp'
import type { PictureType } from '../content-types'

/** What an encoder has to know of the picture that was sent. */
export type Traits = { isPalette: boolean; isLossless: boolean; isGrey: boolean }
type Encoder = (picture: Sharp, traits: Traits) => Sharp

/**
 * Encoders of what is stored, by type: the usual one, then one for pictures that it would make much larger than they
 * came. None of them writes EXIF, XMP, IPTC, a colour profile or a comment.
 */
export const ENCODERS: Record<PictureType, [Encoder, Encoder]> = {
  'image/jpeg': [(picture) => picture.jpeg({ quality: 85 }), (picture) => picture.jpeg({ quality: 60 })],
  'image/png': [
    (picture, { isPalette }) =>
      isPalette
        ? picture.png({ palette: true, quality: 100, dither: 0, effort: 1 })
        : picture.png({ compressionLevel: 6 }),
    (picture) => picture.png({ compressionLevel: 6, adaptiveFiltering: true }),
  ],
  // Frames of a GIF have palettes already, so dithering them anew would only add noise and time.
  'image/gif': [
    (picture) => picture.gif({ effort: 1, dither: 0 }),
    (picture) => picture.gif({ effort: 1, dither: 0, interFrameMaxError: 8, interPaletteMaxError: 20 }),
  ],
  'image/webp': [
    (picture, { isLossless }) => picture.webp(isLossless ? { lossless: true, effort: 2 } : { quality: 85 }),
    (picture) => picture.webp({ quality: 65 }),
  ],
}

/** Encoders of smaller sizes in the picture's own type. */
export const SMALL: Record<PictureType, Encoder> = {
  'image/jpeg': (picture) => picture.jpeg({ quality: 80 }),
  'image/png': (picture, { isPalette }) =>
    picture.png(isPalette ? { palette: true } : { compressionLevel: 9 }),
  'image/gif': (picture) => picture.gif({ effort: 4 }),
  'image/webp': (picture, { isLossless }) =>
    picture.webp(isLossless ? { lossless: true, effort: 2 } : { quality: 78, effort: 2 }),
}

export const WEBP = (picture: Sharp) => picture.webp({ quality: 78, effort: 2 })
/** Effort 0 takes a tenth of the time of the default, and is smaller than WebP all the same. */
const AVIF = (picture: Sharp) => picture.avif({ quality: 55, effort: 0 })

/** Types that newer browsers know, of which the smallest is kept beside the picture's own. */
export const NEWER = [
  ['image/webp', WEBP],
  ['image/avif', AVIF],
] as const
