import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { pageOf, wholePage } from '@/core/page'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { listProgressOf } from './queries'
import { AchievementProgress } from './schema'

export const listAchievements = action({
  name: 'listAchievements',
  access: 'read:user',
  summary: 'List achievements and how far you are',
  description: 'One page with all of them. Hidden ones appear once you have completed them.',
  input: Type.Object({}),
  output: pageOf(AchievementProgress),
  run: async ({ userId }) => {
    const rows = await listProgressOf(db, userId)
    return wholePage(rows.map((row) => ({ ...row, completedAt: iso(row.completedAt) })))
  },
})
