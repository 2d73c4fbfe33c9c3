import { endSessionByCookie, openSession } from '@/auth/sessions'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { forbidden } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { cookieOf } from '@/http/cookies'
import { broadcast } from '@/outbox/broadcast'
import { emit } from '@/outbox/emit'
import { appointFirstAdministrator, lockAdministrators, recordLogin } from '../queries'

/** Runs in the transaction of a sign-in. */
export type SignInHook = (tx: Tx, userId: string, request: Request) => Promise<void>

let signInHooks: readonly SignInHook[] = []

/** Injected by areas above this one. */
export const useSignInHooks = (all: readonly SignInHook[]) => {
  signInHooks = all
}

export async function arrive(tx: Tx, userId: string, request: Request): Promise<void> {
  for (const hook of signInHooks) await hook(tx, userId, request)
}

/** The new cookie, and whether this is the person's first sign-in. */
export type Started = { secret: string; isFirst: boolean }

/** Signs in an authenticated person. */
export async function startSession(tx: Tx, userId: string, request: Request): Promise<Started> {
  const person = await recordLogin(tx, userId, now())
  if (!person) throw forbidden(refusals.suspended)
  await leaveOldSession(tx, request)
  await arrive(tx, userId, request)
  if (person.role !== 'admin' && person.email !== null) await appoint(tx, userId, person.email)
  // Only invalidates cached login times, so it is no domain event.
  broadcast(tx, { type: 'user.seen', data: { userId } })
  const secret = await openSession(tx, userId, request.headers.get('user-agent'))
  return { secret, isFirst: person.isFirst }
}

/** Ends the browser's previous session, of any owner: a new session always has a new secret. */
async function leaveOldSession(tx: Tx, request: Request) {
  const secret = cookieOf(request, 'session')
  if (secret !== undefined) await endSessionByCookie(tx, secret)
}

/** Makes a person of ADMIN_EMAILS the first administrator if none exists; all stored addresses are verified. */
async function appoint(tx: Tx, userId: string, email: string) {
  if (!config.adminEmails.includes(email.toLowerCase())) return
  await lockAdministrators(tx)
  if (await appointFirstAdministrator(tx, userId))
    await emit(tx, 'user.updated', { userId, fields: ['role'] })
}
