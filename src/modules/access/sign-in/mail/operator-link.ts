import { hashSecret } from '@/auth/secrets'
import { nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { hashCode, linkOf, newToken } from './letters'
import { insertMail } from './queries'

const HOUR_MS = 60 * 60 * 1000

/**
 * Creates a sign-in link for an address, without mail or code, valid once within an hour: an operator of the host has this power
 * anyway.
 */
export async function makeSignInLink(tx: Tx, email: string): Promise<{ url: string; expiresAt: Date }> {
  const [id, token, expiresAt] = [newId(), newToken(), new Date(nowMs() + HOUR_MS)]
  await insertMail(tx, {
    id,
    email,
    tokenHash: hashSecret(token),
    codeHash: hashCode(id, newToken()),
    returnTo: '/',
    expiresAt,
  })
  return { url: linkOf(token), expiresAt }
}
