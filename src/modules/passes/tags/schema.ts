import { type Static, Type } from '@sinclair/typebox'
import { line, nullable, optional, whole } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, ownUrl, wireTime } from '@/core/shapes'
import { DownloadAddress } from '@/http/downloads/address'

const tag = {
  id: Type.String(),
  url: ownUrl('What a tap opens.'),
  ndefHex: Type.String({
    description: 'The NDEF message to write, in hexadecimal; `GET /pass/{id}/ndef` has its bytes.',
  }),
}

export const MintedTags = Type.Object(
  {
    tags: Type.Array(Type.Object(tag)),
    csv: DownloadAddress,
  },
  { $id: 'MintedTags' },
)

export const PassTag = Type.Object(
  {
    ...tag,
    designId: orNull(Type.String()),
    claimed: Type.Boolean({ description: 'Whether it has an owner, or had one.' }),
    isActive: Type.Boolean({
      description: 'Whether a tap shows a card. A tag of a deleted account is inactive for good.',
    }),
    claimedAt: orNull(wireTime()),
    createdAt: wireTime(),
  },
  { $id: 'PassTag' },
)
export type PassTag = Static<typeof PassTag>

export const TagsRequest = Type.Object({
  count: whole(1, 1000, { description: 'How many.' }),
  designId: optional(nullable(line(1, 100))),
})

export const TagsInput = Type.Object({
  ...pageFields,
  claimed: optional(Type.Boolean({ description: 'Only claimed tags, or only unclaimed ones.' })),
})
