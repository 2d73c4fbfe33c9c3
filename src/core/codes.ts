/** For codes that people read aloud and type: no 0 O 1 I L. */
const READABLE = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

export function readableCode(length: number): string {
  let code = ''
  while (code.length < length)
    // Rejects bytes past the last whole multiple of the alphabet: modulo would favour its first letters.
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2)))
      if (byte < 248 && code.length < length) code += READABLE[byte % READABLE.length]
  return code
}

export const randomHex = (bytes: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')

/**
 * A secret that people paste: a prefix for secret scanners, random hex, and a CRC-32, so that typos and guesses are rejected
 * without a database query.
 */
export function checkedSecret(prefix: string): string {
  return withChecksum(prefix + randomHex(16))
}

export const withChecksum = (head: string) => head + checksum(head)

export function isCheckedSecret(prefix: string, value: string): boolean {
  if (value.length !== prefix.length + 40 || !value.startsWith(prefix)) return false
  const head = value.slice(0, -8)
  return checksum(head) === value.slice(-8) && /^[0-9a-f]+$/.test(value.slice(prefix.length))
}

const checksum = (text: string) => Bun.hash.crc32(text).toString(16).padStart(8, '0')
