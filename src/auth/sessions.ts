import { now, nowMs } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { broadcast } from '@/outbox/broadcast'
import { deleteSessionByHash, deleteSessionsOf, insertSession } from './queries'
import { hashSecret } from './secrets'

export const SESSION_MS = 30 * 24 * 60 * 60 * 1000
/** The longest that browsers keep a cookie; the server decides when the session ends. */
export const SESSION_COOKIE_SECONDS = 400 * 24 * 60 * 60
const USER_AGENT_MAX = 300

/** Begins a session and returns its cookie, of which only a hash is stored. */
export async function openSession(tx: Db | Tx, userId: string, userAgent: string | null): Promise<string> {
  const secret = randomHex(32)
  await insertSession(tx, {
    id: newId(),
    userId,
    hash: hashSecret(secret),
    userAgent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    lastSeenAt: now(),
    expiresAt: new Date(nowMs() + SESSION_MS),
  })
  return secret
}

/** Ends the session of a cookie in every process. */
export async function endSessionByCookie(tx: Tx, secret: string): Promise<void> {
  const userId = await deleteSessionByHash(tx, hashSecret(secret))
  if (userId !== undefined) broadcast(tx, { type: 'session.ended', data: { userId } })
}

export async function endSessionsOf(tx: Tx, userId: string): Promise<void> {
  await deleteSessionsOf(tx, userId)
  broadcast(tx, { type: 'session.ended', data: { userId } })
}
