import { demandSameSite } from '@/auth/csrf'
import { endSessionByCookie, endSessionsOf } from '@/auth/sessions'
import { type Caller, demand } from '@/core/caller'
import { transaction } from '@/db/transaction'
import { clearedCookie, cookieOf } from '@/http/cookies'
import { respondJson } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { LOGIN } from '@/web/login'
import { redirect } from '@/web/redirect'

/** Signs out in this browser; every process knows at once. */
export async function logOut(visit: Visit): Promise<Response> {
  demandSession(visit)
  const secret = cookieOf(visit.request, 'session')
  if (secret !== undefined) await transaction((tx) => endSessionByCookie(tx, secret))
  return redirect(visit, 303, LOGIN, [clearedCookie('session')])
}

/** Signs out everywhere. */
export async function logOutEverywhere(visit: Visit): Promise<Response> {
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
