import { config } from '@/config/config'

const PREFIX = 'folkmoot:limit:'
const OF_PERSON = 'u:'

/** Derived from the server's secret for this purpose, so that one plain hash is enough: every tap needs one. */
const SECRET = new Bun.CryptoHasher('sha256', config.secretKey).update('limit').digest('hex')

/**
 * The Redis name of a window. Keys with visitor addresses must not appear there, so they are hashed with a secret. Ids of people,
 * counted with every request, reveal nothing and stay as they are.
 */
export const redisKey = (key: string): string =>
  PREFIX + (key.startsWith(OF_PERSON) ? key : Bun.SHA256.hash(SECRET + key, 'base64url').slice(0, 27))
