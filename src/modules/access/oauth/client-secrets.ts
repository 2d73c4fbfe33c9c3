import { randomHex, withChecksum } from '@/core/codes'

export const newClientId = () => `fm_app_${randomHex(16)}`

/**
 * The last eight digits are the CRC-32 of all before them, so that secret scanners can tell a leaked one from a
 * look-alike.
 */
export const newClientSecret = () => withChecksum(`fm_cs_${randomHex(28)}`)
