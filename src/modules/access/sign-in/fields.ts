import { invalid } from '@/core/errors'
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
