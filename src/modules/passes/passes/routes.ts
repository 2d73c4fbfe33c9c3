import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { changePass, listPasses, readPass, readQrPass } from './actions'
import { claimPass, releasePass, rotatePass } from './lifecycle/actions'

export const passRoutes = new Elysia({ prefix: '/v1/meetpass', tags: ['MeetPass'] })
  .get('', ...serve(listPasses))
  .get('/qr', ...serve(readQrPass))
  .get('/:id', ...serve(readPass))
  .patch('/:id', ...serve(changePass))
  .post('/:id/claim', ...serve(claimPass))
  .post('/:id/release', ...serve(releasePass))
  .post('/:id/rotate', ...serve(rotatePass))
