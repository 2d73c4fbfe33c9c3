import type { Sharp } from 'sharp'
import type { PictureType } from '../content-types'

export type Traits = { isPalette: boolean; isLossless: boolean; isGrey: boolean }
type Encoder = (picture: Sharp, traits: Traits) => Sharp

/**
 * Encoders for the stored file: the default, and a fallback if that inflates the image. None writes EXIF, XMP, IPTC, ICC or
 * comments.
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
  // GIF frames already have palettes; dithering again adds only noise and time.
  'image/gif': [
    (picture) => picture.gif({ effort: 1, dither: 0 }),
    (picture) => picture.gif({ effort: 1, dither: 0, interFrameMaxError: 8, interPaletteMaxError: 20 }),
  ],
  'image/webp': [
    (picture, { isLossless }) => picture.webp(isLossless ? { lossless: true, effort: 2 } : { quality: 85 }),
    (picture) => picture.webp({ quality: 65 }),
  ],
}

/** Encoders for smaller sizes in the original type. */
export const SMALL: Record<PictureType, Encoder> = {
  'image/jpeg': (picture) => picture.jpeg({ quality: 80 }),
  'image/png': (picture, { isPalette }) =>
    picture.png(isPalette ? { palette: true } : { compressionLevel: 9 }),
  'image/gif': (picture) => picture.gif({ effort: 4 }),
  'image/webp': (picture, { isLossless }) =>
    picture.webp(isLossless ? { lossless: true, effort: 2 } : { quality: 78, effort: 2 }),
}

export const WEBP = (picture: Sharp) => picture.webp({ quality: 78, effort: 2 })
/** Effort 0 takes a tenth of the default's time and still beats WebP in size. */
const AVIF = (picture: Sharp) => picture.avif({ quality: 55, effort: 0 })

/** Modern formats; the smallest is stored beside the original type. */
export const NEWER = [
  ['image/webp', WEBP],
  ['image/avif', AVIF],
] as const
