import { type Static, Type } from '@sinclair/typebox'
import { orNull, wireTime } from '@/core/shapes'

export const AchievementProgress = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    icon: orNull(Type.String({ description: 'One emoji.' })),
    color: orNull(Type.String({ description: 'As #rrggbb.' })),
    targetValue: Type.Number(),
    currentValue: Type.Number(),
    completedAt: orNull(wireTime()),
    badgeSlug: orNull(Type.String({ description: 'The badge that comes with it.' })),
    hidden: Type.Boolean({ description: 'Shown to those who completed it only.' }),
  },
  { $id: 'AchievementProgress' },
)
export type AchievementProgress = Static<typeof AchievementProgress>
