import jsQR from 'jsqr'
import sharp from 'sharp'

/** What a picture's symbol says; null where none is found. */
export async function decoded(picture: Uint8Array): Promise<string | null> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data ?? null
}
