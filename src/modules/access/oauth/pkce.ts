import { timingSafeEqual } from 'node:crypto'

const WELL_FORMED = /^[A-Za-z0-9\-._~]{43,128}$/

/** How RFC 7636 writes a verifier and its challenge alike. */
export const isWellFormed = (value: string) => WELL_FORMED.test(value)

/** Whether a challenge was made of this verifier, by S256: the one method we know. */
export function verifies(verifier: string, challenge: string): boolean {
  const made = Buffer.from(new Bun.CryptoHasher('sha256').update(verifier).digest('base64url'))
  const kept = Buffer.from(challenge)
  return made.length === kept.length && timingSafeEqual(made, kept)
}
