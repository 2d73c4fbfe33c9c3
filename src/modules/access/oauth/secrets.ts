import { config } from '@/config/config'
import { withChecksum } from '@/core/codes'

/** How codes and refresh tokens begin; what follows is as in every secret of ours. */
export const CODE_PREFIX = 'fm_ac_'
export const REFRESH_PREFIX = 'fm_rt_'

/**
 * The refresh token that follows another. It is worked out, not drawn: whoever lost our answer and asks again gets
 * the very same one, although nothing but its hash was kept.
 */
export function successorOf(familyId: string, generation: number, presented: string): string {
  const digest = new Bun.CryptoHasher('sha256', config.secretKey)
    .update(`refresh\n${familyId}\n${generation}\n${presented}`)
    .digest('hex')
  return withChecksum(REFRESH_PREFIX + digest.slice(0, 32))
}
