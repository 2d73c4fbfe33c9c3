import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { changeApp, createApp, getApp, listApps, regenerateAppSecret, removeApp } from './actions'

export const developerAppRoutes = new Elysia({ prefix: '/v1/developer/apps', tags: ['Developer'] })
  .get('', ...serve(listApps))
  .post('', ...serve(createApp, { status: 201 }))
  .get('/:clientId', ...serve(getApp))
  .patch('/:clientId', ...serve(changeApp))
  .delete('/:clientId', ...serve(removeApp))
  .post('/:clientId/regenerate-secret', ...serve(regenerateAppSecret))
