import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { listAchievements } from './actions'
import {
  changeAchievement,
  createAchievement,
  deleteAchievement,
  listDefinedAchievements,
} from './definitions/actions'
import { achievementListener } from './listeners'

const achievementsTools = toolbox({
  profile_achievements: [
    listAchievements,
    {
      title: 'List my achievements',
      description: 'Lists what the person can reach and how far they are.',
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
