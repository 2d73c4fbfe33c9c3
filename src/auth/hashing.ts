/** Secrets of ours are random and long, so a plain SHA-256 is what is kept of them. */
export const hashSecret = (secret: string): Uint8Array => Bun.SHA256.hash(secret) as Uint8Array

/** The same in hex. */
export const hashSecretHex = (secret: string): string => Bun.SHA256.hash(secret, 'hex')
