import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { listAchievements } from './actions'
import {
  changeAchievement,
  createAchievement,
  deleteAchievement,
  listDefinedAchievements,
} from './definitions/actions'

const own = new Elysia({ prefix: '/v1/profile/achievements', tags: ['User'] })
  .use(front)
  .get('', ...serve(listAchievements))

const administration = new Elysia({ prefix: '/v1/admin/achievements', tags: ['Administration'] })
  .use(front)
  .get('', ...serve(listDefinedAchievements))
  .post('', ...serve(createAchievement, { status: 201 }))
  .patch('/:key', ...serve(changeAchievement))
  .delete('/:key', ...serve(deleteAchievement))

export const achievementRoutes = new Elysia().use(front).use(own).use(administration)
