import { Elysia } from 'elysia'
import { demandSameSite } from '@/auth/csrf'
import { endSessionByCookie, endSessionsOf } from '@/auth/sessions'
import { type Caller, demand } from '@/core/caller'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { clearedCookie, cookieOf } from '@/http/cookies'
import { plain } from '@/http/protocol'
import { respondJson } from '@/http/respond'
import { PERSONAL } from '@/http/route-traits'
import { serve } from '@/http/serve'
import { queryOf, type Visit } from '@/http/visit'
import { wordsFor } from '@/web/language'
import { LOGIN, toLogin } from '@/web/login'
import { type Answer, page } from '@/web/page'
import { ownPath, redirect } from '@/web/redirect'
import { listLinkedAccounts, unlinkAccount } from './linked-accounts/actions'
import { askForMail } from './mail/ask'
import { signInLetter } from './mail/letters'
import { deleteOldFailures, deleteOldSignInMails } from './mail/queries'
import { enterByMail, openLink } from './mail/verify'
import { loginPage } from './pages'
import { goToProvider, returnFromProvider } from './providers/endpoints'
import { deleteOldLoginStates } from './providers/queries'
import { sessionOf } from './visitor'

const signInSweeps = [
  sweep({
    name: 'sign-in mails',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteOldSignInMails(db, before),
  }),
  sweep({
    name: 'sign-in failures',
    keeps: { ms: 0, after: 'its day ends' },
    run: (before) => deleteOldFailures(db, before),
  }),
  sweep({
    name: 'login states',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteOldLoginStates(db, before),
  }),
]

const BACK = { back: toLogin }

const signInRoutes = new Elysia({ tags: ['User'] })
  .get(LOGIN, ...page(logIn, BACK))
  .post('/auth/email', ...page(askForMail, BACK))
  .get('/auth/email/verify', ...page(openLink, BACK))
  .post('/auth/email/verify', ...page(enterByMail, BACK))
  .post('/auth/logout', ...page(Object.assign(logOut, { fieldsToKeep: () => [] }), BACK))
  .post('/auth/logout-all', ...plain(logOutEverywhere, PERSONAL))
  .get('/auth/:provider', ...page((visit, { provider = '' }) => goToProvider(visit, provider), BACK))
  .get(
    '/auth/:provider/callback',
    ...page((visit, { provider = '' }) => returnFromProvider(visit, provider), BACK),
  )
  .get('/v1/me/linked-accounts', ...serve(listLinkedAccounts))
  .delete('/v1/me/linked-accounts/:provider', ...serve(unlinkAccount))

/** The sign-in page. Redirects people who are signed in, unless they must authenticate again. */
async function logIn(visit: Visit): Promise<Answer> {
  const asked = new URLSearchParams(queryOf(visit.request.url))
  const returnTo = ownPath(asked.get('returnTo'))
  const again = asked.get('prompt') === 'login'
  return sessionOf(visit) && !again
    ? redirect(visit, 303, returnTo)
    : await loginPage(wordsFor(visit), returnTo)
}

/** Signs out this browser in every process. */
async function logOut(visit: Visit): Promise<Response> {
  demandSession(visit)
  const secret = cookieOf(visit.request, 'session')
  if (secret !== undefined) await transaction((tx) => endSessionByCookie(tx, secret))
  return redirect(visit, 303, LOGIN, [clearedCookie('session')])
}

async function logOutEverywhere(visit: Visit): Promise<Response> {
  const { userId } = demandSession(visit)
  await transaction((tx) => endSessionsOf(tx, userId))
  const more = { 'cache-control': 'no-store', 'set-cookie': clearedCookie('session') }
  return respondJson(visit, 200, { data: { success: true } }, more)
}

function demandSession(visit: Visit): Caller {
  const caller = demand(visit, 'session') as Caller
  demandSameSite(visit.request)
  return caller
}

export const signInArea = {
  routes: signInRoutes,
  letters: [signInLetter],
  sweeps: signInSweeps,
}
