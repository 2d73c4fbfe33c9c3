import { invalid } from '@/core/errors'
import { readJson } from '@/http/body'
import { isForm, readForm } from '@/http/form-body'

export type Fields = ReadonlyMap<string, string>

export async function readFields(request: Request): Promise<Fields> {
  if (isForm(request)) return readForm(request)
  const body = await readJson(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('The body must be an object')
  return new Map(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
