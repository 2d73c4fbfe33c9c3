import { db } from '@/db/client'
import { WIDTHS } from '@/modules/people/uploads/content/widths'
import { keyOf, publicUrl } from '@/modules/people/uploads/key'
import { findUploadByKey } from '@/modules/people/uploads/queries'

/** What a page has room for, in pixels. */
export type Room = { maxwidth?: number; maxheight?: number }

export type Thumbnail = { thumbnail_url: string; thumbnail_width: number; thumbnail_height: number }

/** Wider than this it is no thumbnail. */
const WIDTH_MAX = 640

/** A picture of our own, in the largest width for which there is room; nothing for one from elsewhere. */
export async function thumbnailOf(
  photoUrl: string | null,
  { maxwidth = WIDTH_MAX, maxheight = Number.POSITIVE_INFINITY }: Room,
): Promise<Thumbnail | undefined> {
  const key = photoUrl === null ? undefined : keyOf(photoUrl)
  const upload = key ? await findUploadByKey(db, key) : undefined
  if (!key || upload?.state !== 'ready' || upload.width === null || upload.height === null) return undefined
  const [whole, ratio] = [upload.width, upload.height / upload.width]
  const widest = Math.min(WIDTH_MAX, maxwidth, maxheight / ratio)
  if (whole <= widest) return thumbnail(publicUrl(key), whole, ratio)
  const width = WIDTHS.find((one) => one <= widest)
  return width && thumbnail(`${publicUrl(key)}?w=${width}`, width, ratio)
}

const thumbnail = (url: string, width: number, ratio: number): Thumbnail => ({
  thumbnail_url: url,
  thumbnail_width: width,
  thumbnail_height: Math.max(1, Math.round(width * ratio)),
})
