import { config } from '@/config/config'

const PREFIX = 'folkmoot:limit:'
const OF_PERSON = 'u:'

/**
 * What a window is called in Redis. Many are counted by the address of a visitor, which must not stand there: they go by a
 * keyed hash. The id of a person, counted with every request, tells nothing and stays as it is.
 */
export const redisKey = (key: string): string =>
  PREFIX +
  (key.startsWith(OF_PERSON)
    ? key
    : new Bun.CryptoHasher('sha256', config.secretKey)
        .update(`limit\n${key}`)
        .digest('base64url')
        .slice(0, 27))
