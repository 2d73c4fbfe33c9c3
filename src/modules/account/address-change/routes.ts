import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { page } from '@/web/page'
import { changeEmail } from './actions'
import { CONFIRM, UNDO } from './links'
import { confirm, showConfirm, showUndo, undo } from './pages'

export const addressChangeRoutes = new Elysia({ tags: ['User'] })
  .post('/v1/profile/email', ...serve(changeEmail))
  .get(CONFIRM, ...page(showConfirm))
  .post(CONFIRM, ...page(confirm))
  .get(UNDO, ...page(showUndo))
  .post(UNDO, ...page(undo))
