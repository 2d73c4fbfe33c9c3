import { hashSecret } from '@/auth/hashing'
import { nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { insertMail } from './queries'
import { hashCode, linkOf, newToken } from './secrets'

const HOUR_MS = 60 * 60 * 1000

/**
 * Makes a link that signs the holder of an address in, once and within an hour, and that no mail carries: whoever runs commands on
 * the host could do so anyway. No code goes with it.
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
