import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import { randomHex, withChecksum } from '@/core/codes'

const WELL_FORMED = /^[A-Za-z0-9\-._~]{43,128}$/

/** The syntax of both a verifier and a challenge (RFC 7636). */
export const isWellFormed = (value: string) => WELL_FORMED.test(value)

/** Whether the challenge matches the verifier by S256, the only supported method. */
export function verifies(verifier: string, challenge: string): boolean {
  const made = Buffer.from(new Bun.CryptoHasher('sha256').update(verifier).digest('base64url'))
  const kept = Buffer.from(challenge)
  return made.length === kept.length && timingSafeEqual(made, kept)
}

export const newClientId = () => `fm_app_${randomHex(16)}`

/** Ends with a CRC-32, so that secret scanners can tell a leaked secret from a look-alike. */
export const newClientSecret = () => withChecksum(`fm_cs_${randomHex(28)}`)

/** Authorization codes and refresh tokens. */
export const CODE_PREFIX = 'fm_ac_'
export const REFRESH_PREFIX = 'fm_rt_'

/**
 * The successor of a refresh token. Computed, not random: a client that lost our response gets the same one again, although only
 * its hash is stored.
 */
export function successorOf(familyId: string, generation: number, presented: string): string {
  const digest = new Bun.CryptoHasher('sha256', config.secretKey)
    .update(`refresh\n${familyId}\n${generation}\n${presented}`)
    .digest('hex')
  return withChecksum(REFRESH_PREFIX + digest.slice(0, 32))
}
