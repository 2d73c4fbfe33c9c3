/** Secrets of ours are random and long, so a plain SHA-256 is what is kept of them. */
export const hashSecret = (secret: string): Uint8Array =>
  new Bun.CryptoHasher('sha256').update(secret).digest()

export const hashSecretHex = (secret: string): string =>
  new Bun.CryptoHasher('sha256').update(secret).digest('hex')
