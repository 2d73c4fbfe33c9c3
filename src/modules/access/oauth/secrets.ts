import { config } from '@/config/config'
import { withChecksum } from '@/core/codes'

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
