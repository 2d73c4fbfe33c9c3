import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '@/core/fields'

export const Rarity = Type.Object(
  {
    tier: oneOf(['common', 'uncommon', 'rare', 'epic', 'legendary']),
    percentage: Type.Number({ description: 'Public holders of a hundred public people, with one decimal.' }),
  },
  { $id: 'Rarity' },
)
export type Rarity = Static<typeof Rarity>
