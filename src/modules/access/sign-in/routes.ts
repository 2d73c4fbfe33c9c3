import { Elysia } from 'elysia'
import { config } from '@/config/config'
import { front } from '@/http/front'
import { plain } from '@/http/plain'
import { serve } from '@/http/serve'
import { PERSONAL } from '@/http/traits'
import { page } from './answers'
import { listLinkedAccounts, unlinkAccount } from './linked-accounts/actions'
import { logIn } from './login'
import { logOut, logOutEverywhere } from './logout'
import { askForMail } from './mail/ask'
import { enterByMail, openLink } from './mail/verify'
import { mailboxJson, showMailbox } from './mailbox'
import { goToProvider, returnFromProvider } from './providers/endpoints'

/** Mails of the demo stay on its machine; in production these paths do not exist. */
const mailboxRoutes = new Elysia().use(front)
if (config.mode !== 'production')
  mailboxRoutes.get('/dev/mailbox', ...plain(showMailbox)).get('/dev/mailbox.json', ...plain(mailboxJson))

export const signInRoutes = new Elysia({ tags: ['User'] })
  .use(front)
  .use(mailboxRoutes)
  .get('/login', ...page(logIn))
  .post('/auth/email', ...page(askForMail))
  .get('/auth/email/verify', ...page(openLink))
  .post('/auth/email/verify', ...page(enterByMail))
  .post('/auth/logout', ...page(logOut))
  .post('/auth/logout-all', ...plain(logOutEverywhere, PERSONAL))
  .get('/auth/:provider', ...page((visit, { provider = '' }) => goToProvider(visit, provider)))
  .get('/auth/:provider/callback', ...page((visit, { provider = '' }) => returnFromProvider(visit, provider)))
  .get('/v1/me/linked-accounts', ...serve(listLinkedAccounts))
  .delete('/v1/me/linked-accounts/:provider', ...serve(unlinkAccount))
