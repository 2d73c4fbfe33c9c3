import { randomHex } from '@/core/codes'

export const newClientId = () => `fm_app_${randomHex(16)}`

/** The last eight digits are the CRC-32 of all before them, so that scanners can tell one that leaked from a likeness. */
export function newClientSecret(): string {
  const head = `fm_cs_${randomHex(28)}`
  return head + Bun.hash.crc32(head).toString(16).padStart(8, '0')
}
