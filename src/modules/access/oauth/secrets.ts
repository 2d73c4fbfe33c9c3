import { config } from '@/config/config'
import { withChecksum } from '@/core/codes'

/** Prefixes of authorization codes and refresh tokens; the rest is as in every secret of ours. */
export const CODE_PREFIX = 'fm_ac_'
export const REFRESH_PREFIX = 'fm_rt_'

/**
 * The successor of a refresh token. It is computed, not drawn: a client that lost our answer and asks again gets the
 * very same one, although only its hash was kept.
 */
export function successorOf(familyId: string, generation: number, presented: string): string {
  const digest = new Bun.CryptoHasher('sha256', config.secretKey)
    .update(`refresh\n${familyId}\n${generation}\n${presented}`)
    .digest('hex')
  return withChecksum(REFRESH_PREFIX + digest.slice(0, 32))
}
