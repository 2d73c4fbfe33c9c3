import { invalidField } from '@/core/errors'
import { namedQualityOf, qualityOf } from '@/http/accept'
import { queryOf } from '@/http/visit'
import { WIDTHS } from '../content/widths'
import type { Served, Version } from './versions'

const ALLOWED = new Map(WIDTHS.map((width) => [String(width), width]))

/** The width that an address asks for; other parameters mean nothing. */
export function widthIn(url: string): number | undefined {
  const query = queryOf(url)
  if (query === '') return undefined
  const given = new URLSearchParams(query).getAll('w')
  if (given.length === 0) return undefined
  const width = given.length === 1 ? ALLOWED.get(given[0] as string) : undefined
  if (width === undefined) throw invalidField('w', `must be one of ${[...WIDTHS].reverse().join(', ')}`)
  return width
}

/** A picture that is not larger than the width, and what is no picture, is served as it is. */
export function versionFor({ whole, smaller }: Served, width: number | undefined, headers: Headers): Version {
  const pair = width === undefined ? undefined : smaller.get(width)
  if (pair === undefined) return whole
  const { own, newer } = pair
  const accept = newer && headers.get('accept')
  return newer && accept && isPreferred(newer, own, accept) ? newer : own
}

/** The newer type is for those who name it and want the other no more. */
function isPreferred(newer: Version, own: Version, accept: string): boolean {
  const quality = namedQualityOf(accept, newer.contentType)
  return quality > 0 && quality >= qualityOf(accept, own.contentType)
}
