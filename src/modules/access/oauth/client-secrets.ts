import { randomHex, withChecksum } from '@/core/codes'

export const newClientId = () => `fm_app_${randomHex(16)}`

/** Ends with a CRC-32, so that secret scanners can tell a leaked secret from a look-alike. */
export const newClientSecret = () => withChecksum(`fm_cs_${randomHex(28)}`)
