import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listAchievements } from './actions'
import {
  changeAchievement,
  createAchievement,
  deleteAchievement,
  listDefinedAchievements,
} from './definitions/actions'

const own = new Elysia({ prefix: '/v1/profile/achievements', tags: ['User'] }).get(
  '',
  ...serve(listAchievements),
)

const administration = new Elysia({ prefix: '/v1/admin/achievements', tags: ['Administration'] })
  .get('', ...serve(listDefinedAchievements))
  .post('', ...serve(createAchievement, { status: 201 }))
  .patch('/:key', ...serve(changeAchievement))
  .delete('/:key', ...serve(deleteAchievement))

export const achievementRoutes = new Elysia().use(own).use(administration)
