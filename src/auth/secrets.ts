import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { config } from '@/config/config'

/** Our secrets are long and random, so a plain SHA-256 is enough. */
export const hashSecret = (secret: string): Uint8Array => Bun.SHA256.hash(secret) as Uint8Array

export const hashSecretHex = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts secrets that we must use again (AES-256-GCM), such as those that sign webhooks. Each purpose has its own key, and
 * `bound` ties a secret to its row: in another row it does not decrypt.
 */
export function sealer(purpose: string, secretKey = config.secretKey) {
  const key = new Bun.CryptoHasher('sha256', secretKey).update(`sealed\n${purpose}`).digest()
  return {
    seal(secret: Uint8Array, bound: string): Uint8Array {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(bound))
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed: Uint8Array, bound: string): Uint8Array {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(bound))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    },
  }
}
