import { pattern } from '@/core/fields'

/**
 * Mail addresses as browsers check them, in ASCII: Unicode has letters that become another letter in lower case, and
 * with it another person's address.
 */
const ADDRESS =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"

export const mailAddress = () =>
  pattern(ADDRESS, 3, 254, 'must be an email address such as ada@folkmoot.example')

const WHOLE = new RegExp(ADDRESS)

/** A given mail address in lower case; null when it is none that we could write to. */
export const readAddress = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= 254 && WHOLE.test(value) ? value.toLowerCase() : null
