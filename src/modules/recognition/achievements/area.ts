import { Elysia } from 'elysia'
import { EVENT_TYPES } from '@/core/domain-events'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { cache } from '@/outbox/cache'
import { listener } from '@/outbox/listener'
import { listAchievements } from './actions'
import {
  changeAchievement,
  createAchievement,
  deleteAchievement,
  listDefinedAchievements,
} from './definitions/actions'
import { count } from './progress/count'
import { listCountedTypes } from './queries'

/** Event types that any achievement counts. Read for every domain event, rarely changed. */
const counted = cache<Set<string>>({
  max: 1,
  load: () => listCountedTypes(db),
  drops: ({ type }, drop) => {
    if (type === 'achievements.changed') drop.all()
  },
})

const countedTypes = () => counted.get('types')

export const achievementListener = listener({
  name: 'achievements',
  on: EVENT_TYPES,
  relevantNow: countedTypes,
  react: count,
})

const achievementsTools = toolbox({
  profile_achievements: [
    listAchievements,
    {
      title: 'List my achievements',
      description: "Lists achievements with the person's progress.",
    },
  ],
})

const own = new Elysia({ prefix: '/v1/profile/achievements', tags: ['User'] }).get(
  '',
  ...serve(listAchievements),
)

const administration = new Elysia({ prefix: '/v1/admin/achievements', tags: ['Administration'] })
  .get('', ...serve(listDefinedAchievements))
  .post('', ...serve(createAchievement, { status: 201 }))
  .patch('/:key', ...serve(changeAchievement))
  .delete('/:key', ...serve(deleteAchievement))

const achievementRoutes = new Elysia().use(own).use(administration)

export const achievementsArea = {
  routes: achievementRoutes,
  tools: achievementsTools,
  listeners: [achievementListener],
}
