/** Our secrets are long and random, so a plain SHA-256 is enough. */
export const hashSecret = (secret: string): Uint8Array => Bun.SHA256.hash(secret) as Uint8Array

export const hashSecretHex = (secret: string): string => Bun.SHA256.hash(secret, 'hex')
