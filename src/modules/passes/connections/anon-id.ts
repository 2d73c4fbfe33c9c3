import { config } from '@/config/config'

/**
 * What an owner is told of a stranger. The hash of the cookie stays here, and two owners cannot find out that the same
 * browser tapped both of their passes.
 */
export const anonIdFor = (ownerId: string, strangerHash: Uint8Array): string =>
  new Bun.CryptoHasher('sha256', config.secretKey)
    .update(`stranger\n${ownerId}\n`)
    .update(strangerHash)
    .digest('base64url')
    .slice(0, 22)
