import { Elysia } from 'elysia'
import { plain } from '@/http/plain'
import { PERSONAL } from '@/http/route-traits'
import { serve } from '@/http/serve'
import { LOGIN, toLogin } from '@/web/login'
import { page } from '@/web/page'
import { listLinkedAccounts, unlinkAccount } from './linked-accounts/actions'
import { logIn } from './login'
import { logOut, logOutEverywhere } from './logout'
import { askForMail } from './mail/ask'
import { enterByMail, openLink } from './mail/verify'
import { goToProvider, returnFromProvider } from './providers/endpoints'

const BACK = { back: toLogin }

export const signInRoutes = new Elysia({ tags: ['User'] })
  .get(LOGIN, ...page(logIn, BACK))
  .post('/auth/email', ...page(askForMail, BACK))
  .get('/auth/email/verify', ...page(openLink, BACK))
  .post('/auth/email/verify', ...page(enterByMail, BACK))
  .post('/auth/logout', ...page(Object.assign(logOut, { held: () => [] }), BACK))
  .post('/auth/logout-all', ...plain(logOutEverywhere, PERSONAL))
  .get('/auth/:provider', ...page((visit, { provider = '' }) => goToProvider(visit, provider), BACK))
  .get(
    '/auth/:provider/callback',
    ...page((visit, { provider = '' }) => returnFromProvider(visit, provider), BACK),
  )
  .get('/v1/me/linked-accounts', ...serve(listLinkedAccounts))
  .delete('/v1/me/linked-accounts/:provider', ...serve(unlinkAccount))
