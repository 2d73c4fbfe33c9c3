import { config } from '@/config/config'

const PREFIX = 'folkmoot:limit:'
const OF_PERSON = 'u:'

/** Made of the server's secret for this alone, so that one plain hash of it and a key will do: every tap needs one. */
const SECRET = new Bun.CryptoHasher('sha256', config.secretKey).update('limit').digest('hex')

/**
 * What a window is called in Redis. Many are counted by the address of a visitor, which must not stand there: they go by a
 * keyed hash. The id of a person, counted with every request, tells nothing and stays as it is.
 */
export const redisKey = (key: string): string =>
  PREFIX + (key.startsWith(OF_PERSON) ? key : Bun.SHA256.hash(SECRET + key, 'base64url').slice(0, 27))
