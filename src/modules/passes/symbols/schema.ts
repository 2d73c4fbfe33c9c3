import { Type } from '@sinclair/typebox'
import { oneOf, whole } from '@/core/fields'
import { QUIET_ZONE } from './qr'

export const SvgQuery = Type.Object({
  ecc: {
    ...oneOf(['M', 'Q']),
    default: 'M',
    description: 'Error correction: 15 % (`M`), or 25 % (`Q`) for items that wear or are laminated.',
  },
  margin: whole(0, 16, {
    default: QUIET_ZONE,
    description: 'White modules around the symbol. Phones need four of them, here or on the paper around it.',
  }),
})

export const PngQuery = Type.Object({
  size: whole(128, 2048, { default: 512, description: 'Width and height in pixels, margin included.' }),
})
