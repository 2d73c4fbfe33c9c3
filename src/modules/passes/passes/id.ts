import { config } from '@/config/config'
import { readableCode } from '@/core/codes'
import { notFound } from '@/core/errors'

export const noSuchPass = () => notFound('Pass')

/** A malformed id answers 404. */
export function demandPassId(text: string): string {
  const id = passIdOf(text)
  if (id === undefined) throw noSuchPass()
  return id
}

/** Blank tags and other people's passes answer 404, like missing ones. */
export function demandOwn<T>(found: T | undefined): T {
  if (found === undefined) throw noSuchPass()
  return found
}

const LENGTH = 16
const SHOWN_LENGTH = 19
const ID = /^[2-9a-hjkmnp-z]{16}$/

export const newPassId = (): string => readableCode(LENGTH).toLowerCase()

/** Accepts upper and lower case and the dashes of `shownCode`; undefined if malformed. */
export function passIdOf(text: string): string | undefined {
  const id = (text.length === SHOWN_LENGTH ? text.replaceAll('-', '') : text).toLowerCase()
  return ID.test(id) ? id : undefined
}

/** Whether an id is well-formed: an unknown one counts as a guess. */
export const isPassId = ({ id }: { id: string }) => passIdOf(id) !== undefined

/** For people to read and type. */
export const shownCode = (id: string): string => (id.toUpperCase().match(/.{4}/g) ?? []).join('-')

export const passUrl = (id: string): string => `${config.baseUrl}/pass/${id}`

/** Upper case fits QR's alphanumeric mode, which makes a smaller symbol. */
export const printedUrl = (id: string): string => `${config.baseUrl}/PASS/${id}`.toUpperCase()
