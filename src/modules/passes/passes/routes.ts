import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { changePass, listPasses, readPass, readQrPass } from './actions'

export const passRoutes = new Elysia({ prefix: '/v1/meetpass', tags: ['MeetPass'] })
  .get('', ...serve(listPasses))
  .get('/qr', ...serve(readQrPass))
  .get('/:id', ...serve(readPass))
  .patch('/:id', ...serve(changePass))
