import { pattern } from '@/core/fields'
import { refusals } from '@/core/refusals'

/**
 * Mail addresses in ASCII, as browsers validate them: some Unicode letters change when lowercased, which would make another
 * person's address.
 */
const ADDRESS =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"

export const mailAddress = () => pattern(ADDRESS, 3, 254, refusals.emailAddress)

const WHOLE = new RegExp(ADDRESS)

/** Lowercases a mail address; null if invalid. */
export const readAddress = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= 254 && WHOLE.test(value) ? value.toLowerCase() : null
