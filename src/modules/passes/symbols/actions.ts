import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { oneOf, whole } from '@/core/fields'
import { internal } from '@/core/page'
import { type Tagged, tagged } from '@/http/respond'
import { isPassId, passUrl, printedUrl } from '@/modules/passes/passes/id'
import { findPass } from '@/modules/passes/passes/look-up'
import { PassInput } from '@/modules/passes/passes/schema'
import { ndefOf } from './ndef'
import { pngOf } from './png'
import { QUIET_ZONE, symbolOf } from './qr'
import { svgOf } from './svg'

/** The id of the pass is the only credential. Works for paused passes too: people print before they activate. */
const SYMBOL = { access: 'none', reads: true, output: internal<Tagged>(), countsMiss: isPassId } as const

const ALWAYS = 'The same bytes as long as the pass is there, also while it is inactive.'

export const readPassSvg = action({
  ...SYMBOL,
  name: 'readPassSvg',
  summary: 'Draw the QR symbol of a pass',
  description: `Black on white; one millimetre per module unless scaled. ${ALWAYS}`,
  input: Type.Object({
    ...PassInput.properties,
    ecc: {
      ...oneOf(['M', 'Q']),
      default: 'M',
      description: 'Error correction: 15 % (`M`), or 25 % (`Q`) for items that wear or are laminated.',
    },
    margin: whole(0, 16, {
      default: QUIET_ZONE,
      description:
        'White modules around the symbol. Phones need four of them, here or on the paper around it.',
    }),
  }),
  errors: ['not_found'],
  run: async (_, { id, ecc, margin }) => {
    const { pass } = await findPass(id)
    return cachedBytes(`svg ${ecc} ${margin} ${pass.id}`, () => {
      const address = printedUrl(pass.id)
      return svgOf(symbolOf(address, ecc), margin, address)
    })
  },
})

export const readPassPng = action({
  ...SYMBOL,
  name: 'readPassPng',
  summary: 'Draw the QR symbol of a pass in pixels',
  description: `Each module has the same whole number of pixels; the rest is margin. ${ALWAYS}`,
  input: Type.Object({
    ...PassInput.properties,
    size: whole(128, 2048, { default: 512, description: 'Width and height in pixels, margin included.' }),
  }),
  errors: ['not_found'],
  // PNG encoding is expensive, and any size can be requested.
  rate: { name: 'picture', perSecond: 20 },
  run: async (_, { id, size }) => {
    const { pass } = await findPass(id)
    return cachedBytes(`png ${size} ${pass.id}`, () => pngOf(symbolOf(printedUrl(pass.id), 'M'), size))
  },
})

export const readPassNdef = action({
  ...SYMBOL,
  name: 'readPassNdef',
  summary: 'Read the NDEF message of a pass',
  description: `An NDEF message of one URI record, at most 100 bytes. ${ALWAYS} 409 if the server's address is too long for that.`,
  input: PassInput,
  errors: ['not_found', 'conflict'],
  run: async (_, { id }) => {
    const { pass } = await findPass(id)
    return cachedBytes(`ndef ${pass.id}`, () => ndefOf(passUrl(pass.id)))
  },
})

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
