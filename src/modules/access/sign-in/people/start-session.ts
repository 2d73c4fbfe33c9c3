import { endSessionByCookie, openSession } from '@/auth/sessions'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { forbidden } from '@/core/errors'
import type { Tx } from '@/db/client'
import { cookieOf } from '@/http/cookies'
import { broadcast } from '@/outbox/broadcast'
import { emit } from '@/outbox/emit'
import { appointFirstAdministrator, lockAdministrators, recordLogin } from '../queries'

/** What happens for a person whose browser signs in, in the transaction of the sign-in. */
export type SignInHook = (tx: Tx, userId: string, request: Request) => Promise<void>

let signInHooks: readonly SignInHook[] = []

/** Learns what areas above this one do for people who arrive. */
export const useSignInHooks = (all: readonly SignInHook[]) => {
  signInHooks = all
}

export async function arrive(tx: Tx, userId: string, request: Request): Promise<void> {
  for (const hook of signInHooks) await hook(tx, userId, request)
}

/** The value of the new cookie, and whether the person was never signed in before. */
export type Started = { secret: string; isFirst: boolean }

/** Signs in a person who has proved who they are. */
export async function startSession(tx: Tx, userId: string, request: Request): Promise<Started> {
  const person = await recordLogin(tx, userId, now())
  if (!person) throw forbidden('This account is suspended: ask the people who run this place')
  await leaveOldSession(tx, request)
  await arrive(tx, userId, request)
  if (person.role !== 'admin' && person.email !== null) await appoint(tx, userId, person.email)
  // Caches hold the time of the last login; nobody outside has to hear of it.
  broadcast(tx, { type: 'user.seen', data: { userId } })
  const secret = await openSession(tx, userId, request.headers.get('user-agent'))
  return { secret, isFirst: person.isFirst }
}

/** Ends the session that the browser came with, whoever had it: a new session always has a new secret. */
async function leaveOldSession(tx: Tx, request: Request) {
  const secret = cookieOf(request, 'session')
  if (secret !== undefined) await endSessionByCookie(tx, secret)
}

/**
 * Makes a person of ADMIN_EMAILS the first administrator, while there is none; every address that we keep has been
 * proved.
 */
async function appoint(tx: Tx, userId: string, email: string) {
  if (!config.adminEmails.includes(email.toLowerCase())) return
  await lockAdministrators(tx)
  if (await appointFirstAdministrator(tx, userId))
    await emit(tx, 'user.updated', { userId, fields: ['role'] })
}
