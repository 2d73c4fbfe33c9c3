import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { form } from '@/web/form'
import { changePass, listPasses, readPass, readQrPass } from './actions'
import { claimPass, releasePass, rotatePass } from './lifecycle/actions'
import { refusedForm, toPass } from './pass-form'

const api = new Elysia({ prefix: '/v1/meetpass', tags: ['MeetPass'] })
  .get('', ...serve(listPasses))
  .get('/qr', ...serve(readQrPass))
  .get('/:id', ...serve(readPass))
  .patch('/:id', ...serve(changePass))
  .post('/:id/claim', ...serve(claimPass))
  .post('/:id/release', ...serve(releasePass))
  .post('/:id/rotate', ...serve(rotatePass))

/** The button on the page of a blank tag. */
const claimForm = form(claimPass, {
  fields: {},
  page: refusedForm('This tag could not be claimed'),
  done: toPass,
})

export const passRoutes = new Elysia()
  .use(api)
  .post('/pass/:id/claim', ...claimForm)
  .post('/PASS/:id/claim', ...claimForm)
