import { Elysia } from 'elysia'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { page } from '@/web/page'
import { changeEmail } from './actions'
import { confirmLetter, noticeLetter } from './letters'
import { CONFIRM, UNDO } from './links'
import { confirm, showConfirm, showUndo, undo } from './pages'
import { deleteOldChanges } from './queries'

const addressChangeSweeps = [
  sweep({
    name: 'address changes',
    keeps: { ms: 0, after: 'the old address could last undo it' },
    run: (before) => deleteOldChanges(db, before),
  }),
]

const addressChangeRoutes = new Elysia({ tags: ['User'] })
  .post('/v1/profile/email', ...serve(changeEmail))
  .get(CONFIRM, ...page(showConfirm))
  .post(CONFIRM, ...page(confirm))
  .get(UNDO, ...page(showUndo))
  .post(UNDO, ...page(undo))

export const addressChangeArea = {
  routes: addressChangeRoutes,
  letters: [confirmLetter, noticeLetter],
  sweeps: addressChangeSweeps,
}
