import { rateLimited } from '@/core/errors'
import { parser } from '@/core/parse'
import { clientAddress } from '@/http/address'
import { readQuery } from '@/http/input'
import { slide } from '@/http/limits/hourly'
import { secondsLeft } from '@/http/limits/limiter'
import { respondTagged, type Tagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { passUrl, printedUrl } from '@/modules/passes/passes/id'
import { lookUpPass } from '@/modules/passes/passes/look-up'
import { ndefOf } from './ndef'
import { pngOf } from './png'
import { symbolOf } from './qr'
import { PngQuery, SvgQuery } from './schema'
import { svgOf } from './svg'

type Params = Record<string, string>

/** The base URL may change, so symbols expire after a day. */
const headersOf = (type: string) => ({ 'content-type': type, 'cache-control': 'private, max-age=86400' })

export const SVG = headersOf('image/svg+xml')
export const PNG = headersOf('image/png')
export const NDEF = headersOf('application/vnd.nfc.ndef')

const parseSvg = parser(SvgQuery)
const parsePng = parser(PngQuery)

export function sendSvg(visit: Visit, { id = '' }: Params) {
  const { ecc, margin } = parseSvg(readQuery(SvgQuery.properties, visit.request.url) ?? {})
  return sendOf(visit, id, SVG, (passId) =>
    cachedBytes(`svg ${ecc} ${margin} ${passId}`, () => {
      const address = printedUrl(passId)
      return svgOf(symbolOf(address, ecc), margin, address)
    }),
  )
}

/** PNG encoding is expensive, and any size can be requested. */
const PICTURES_PER_SECOND = 20

export async function sendPng(visit: Visit, { id = '' }: Params) {
  const { size } = parsePng(readQuery(PngQuery.properties, visit.request.url) ?? {})
  const key = `picture:${clientAddress(visit.request)}`
  const verdict = await slide({ key, limit: PICTURES_PER_SECOND, windowMs: 1000 })
  if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
  return sendOf(visit, id, PNG, (passId) =>
    cachedBytes(`png ${size} ${passId}`, () => pngOf(symbolOf(printedUrl(passId), 'M'), size)),
  )
}

export const sendNdef = (visit: Visit, { id = '' }: Params) =>
  sendOf(visit, id, NDEF, (passId) => cachedBytes(`ndef ${passId}`, () => ndefOf(passUrl(passId))))

/** Works for paused passes too: people print before they activate. */
async function sendOf(
  visit: Visit,
  text: string,
  headers: Record<string, string>,
  bytesOf: (id: string) => Tagged,
) {
  const { pass } = await lookUpPass(visit, text)
  return respondTagged(visit, bytesOf(pass.id), headers)
}

/** Symbols have some kilobytes, so this is about ten megabytes at most. */
const MAX = 2000

const cached = new Map<string, Tagged>()

/** LRU cache of immutable bytes. */
function cachedBytes(key: string, make: () => string | Uint8Array): Tagged {
  const found = cached.get(key)
  const bytes = found ?? tagged(make())
  cached.delete(key)
  cached.set(key, bytes)
  if (cached.size > MAX) cached.delete(cached.keys().next().value as string)
  return bytes
}
