import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { pageOf, wholePage } from '@/core/page'
import { iso, orNull, wireTime } from '@/core/shapes'
import { db } from '@/db/client'
import { listProgressOf } from './queries'

const AchievementProgress = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    icon: orNull(Type.String({ description: 'One emoji.' })),
    color: orNull(Type.String({ description: 'As #rrggbb.' })),
    targetValue: Type.Number(),
    currentValue: Type.Number(),
    completedAt: orNull(wireTime()),
    badgeSlug: orNull(Type.String({ description: 'The badge that it awards.' })),
    hidden: Type.Boolean({ description: 'Whether it is shown only to people who completed it.' }),
  },
  { $id: 'AchievementProgress' },
)

export const listAchievements = action({
  name: 'listAchievements',
  access: 'read:user',
  summary: 'List achievements with your progress',
  description: 'All on one page. Hidden ones appear once you have completed them.',
  input: Type.Object({}),
  output: pageOf(AchievementProgress),
  run: async ({ userId }) => {
    const rows = await listProgressOf(db, userId)
    return wholePage(rows.map((row) => ({ ...row, completedAt: iso(row.completedAt) })))
  },
})
