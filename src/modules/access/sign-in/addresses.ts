import { invalid } from '@/core/errors'
import { pattern } from '@/core/fields'
import { refusals } from '@/core/refusals'
import { readJson } from '@/http/body'
import { isForm, readForm } from '@/http/form-body'

export type Fields = ReadonlyMap<string, string>

export async function readFields(request: Request): Promise<Fields> {
  if (isForm(request)) return readForm(request)
  const body = await readJson(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid(refusals.objectOnly)
  return new Map(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

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
