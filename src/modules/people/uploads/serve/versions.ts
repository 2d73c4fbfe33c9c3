import { attachment, inline } from '@/http/downloads/disposition'
import { isPictureType } from '../content/content-types'
import { fileName, partsOf, smallerName } from '../key'
import type { UploadRow } from '../queries'

/** One object of a file, with its response headers. */
export type Version = {
  object: string
  contentType: string
  size: number
  etag: string
  headers: Readonly<Record<string, string>>
}

/** A width in the original type, or the whole file if that is smaller, plus a modern type. */
type Pair = { own: Version; newer?: Version }

export type Served = { ownerId: string | null; whole: Version; smaller: ReadonlyMap<number, Pair> }

type Content = { contentType: string; size: number; sha256: string }

export type ReadyRow = Pick<UploadRow, 'key' | 'ownerId' | 'filename' | 'contentType' | 'sizes'> & {
  file: string
  size: number
  sha256: string
}

export function servedBy(row: ReadyRow): Served {
  const { file, sizes, contentType } = row
  // The extension is ours and matches the type.
  const { stem } = partsOf(row.filename)
  const smaller = new Map<number, Pair>()
  const ending = row.key.slice(row.key.lastIndexOf('.'))
  const whole = (isNegotiated: boolean) => versionOf(fileName(file), row, stem + ending, isNegotiated)
  for (const { width } of sizes) {
    if (smaller.has(width)) continue
    const made = sizes.filter((one) => one.width === width)
    const own = made.find((one) => one.contentType === contentType)
    const newer = made.find((one) => one.contentType !== contentType)
    const version = (one: (typeof made)[number]) =>
      versionOf(smallerName(file, one), one, `${stem}-${width}.${one.ending}`, newer !== undefined)
    smaller.set(width, {
      own: own ? version(own) : whole(true),
      ...(newer && { newer: version(newer) }),
    })
  }
  return { ownerId: row.ownerId, whole: whole(false), smaller }
}

/** Browsers execute nothing in a file: no sniffing, inline only for images, and a sandbox for its own tab. */
function versionOf(
  object: string,
  { contentType, size, sha256 }: Content,
  name: string,
  isNegotiated: boolean,
): Version {
  const etag = `"${sha256}"`
  return {
    object,
    contentType,
    size,
    etag,
    headers: {
      'content-type': contentType,
      'content-disposition': isShown(contentType) ? inline(name) : attachment(name),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      etag,
      ...(isNegotiated && { vary: 'Accept' }),
    },
  }
}

const isShown = (type: string) => isPictureType(type) || type === 'image/avif'
