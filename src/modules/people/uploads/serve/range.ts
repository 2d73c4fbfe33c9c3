import { rangeNotSatisfiable } from '@/core/errors'
import type { Range } from '@/outbound/storage/storage'

/** Bun reads the header itself once more for a file that is sent whole, with blanks in these places: both must agree. */
const ONE_RANGE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

/**
 * The part that a `Range` asks for (RFC 9110, 14.2). Undefined means the whole: for what is malformed, for several ranges at once,
 * and where `If-Range` names another content.
 */
export function rangeIn(headers: Headers, { size, etag }: { size: number; etag: string }): Range | undefined {
  const [, first, last] = ONE_RANGE.exec(headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const condition = headers.get('if-range')
  if (condition !== null && condition !== etag) return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (start >= size) throw rangeNotSatisfiable(size)
  return { start, end }
}
