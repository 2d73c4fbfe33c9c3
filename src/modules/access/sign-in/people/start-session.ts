import { endSessionByCookie, openSession } from '@/auth/sessions'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { forbidden } from '@/core/errors'
import type { Tx } from '@/db/client'
import { cookieOf } from '@/http/cookies'
import { broadcast } from '@/outbox/broadcast'
import { emit } from '@/outbox/emit'
import { appointFirstAdministrator, lockAdministrators, recordLogin } from '../queries'

/** Opens the door for a person who has shown who they are. Gives the value of the new cookie. */
export async function startSession(tx: Tx, userId: string, request: Request): Promise<string> {
  const person = await recordLogin(tx, userId, now())
  if (!person) throw forbidden('This account is suspended: ask the people who run this place')
  await leaveOldSession(tx, request)
  if (person.role !== 'admin' && person.email !== null) await appoint(tx, userId, person.email)
  // Memories of the person hold when they were last here; nobody outside has to hear of it.
  broadcast(tx, { type: 'user.seen', data: { userId } })
  return openSession(tx, userId, request.headers.get('user-agent'))
}

/** A new session always has a new secret; the one that the browser came with is over, whosever it was. */
async function leaveOldSession(tx: Tx, request: Request) {
  const secret = cookieOf(request, 'session')
  if (secret !== undefined) await endSessionByCookie(tx, secret)
}

/** Somebody has to be the first administrator; every address that we keep has been proved. */
async function appoint(tx: Tx, userId: string, email: string) {
  if (!config.adminEmails.includes(email.toLowerCase())) return
  await lockAdministrators(tx)
  if (await appointFirstAdministrator(tx, userId))
    await emit(tx, 'user.updated', { userId, fields: ['role'] })
}
