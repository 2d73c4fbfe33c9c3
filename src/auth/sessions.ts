import { now, nowMs } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { hashSecret } from './hashing'
import { insertSession } from './queries'

export const SESSION_MS = 30 * 24 * 60 * 60 * 1000
const USER_AGENT_MAX = 300

/** Begins a session and gives the cookie's value, which nobody will see again. */
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
