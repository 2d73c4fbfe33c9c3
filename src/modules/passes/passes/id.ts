import { config } from '@/config/config'
import { readableCode } from '@/core/codes'

const LENGTH = 16
const SHOWN_LENGTH = 19
const ID = /^[2-9a-hjkmnp-z]{16}$/

export const newPassId = (): string => readableCode(LENGTH).toLowerCase()

/** The id in an address, in either case of letters, or with the dashes of `shownCode`; undefined for what cannot be one. */
export function passIdOf(text: string): string | undefined {
  const id = (text.length === SHOWN_LENGTH ? text.replaceAll('-', '') : text).toLowerCase()
  return ID.test(id) ? id : undefined
}

/** As people read it and type it. */
export const shownCode = (id: string): string => (id.toUpperCase().match(/.{4}/g) ?? []).join('-')

export const passUrl = (id: string): string => `${config.baseUrl}/pass/${id}`

/** As a symbol carries it: upper case needs a smaller one. */
export const printedUrl = (id: string): string => `${config.baseUrl}/PASS/${id}`.toUpperCase()
