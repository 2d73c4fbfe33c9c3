import { timingSafeEqual } from 'node:crypto'

const WELL_FORMED = /^[A-Za-z0-9\-._~]{43,128}$/

/** The syntax of both a verifier and a challenge (RFC 7636). */
export const isWellFormed = (value: string) => WELL_FORMED.test(value)

/** Whether the challenge matches the verifier by S256, the only supported method. */
export function verifies(verifier: string, challenge: string): boolean {
  const made = Buffer.from(new Bun.CryptoHasher('sha256').update(verifier).digest('base64url'))
  const kept = Buffer.from(challenge)
  return made.length === kept.length && timingSafeEqual(made, kept)
}
