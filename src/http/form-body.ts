import { badRequest } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { prefersHtml } from './accept'
import { readBytes } from './body'

const FORM_CONTENT = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Reads the fields of a form. Refuses a repeated field, which is a mistake or an attack. */
export const readForm = async (request: Request): Promise<Map<string, string>> =>
  onceEach(await readFormPairs(request))

/** Reads a form that may repeat fields. */
export async function readFormPairs(request: Request): Promise<URLSearchParams> {
  if (!isForm(request)) throw badRequest(refusals.urlEncodedOnly)
  return new URLSearchParams(new TextDecoder('utf-8').decode(await readBytes(request)))
}

export function onceEach(parameters: URLSearchParams): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (fields.has(name)) throw badRequest(refusals.repeatedField)
    fields.set(name, value)
  }
  return fields
}

export const isForm = (request: Request) => FORM_CONTENT.test(request.headers.get('content-type') ?? '')

const FILE_FORM = /^multipart\/form-data\s*;/i

/** Whether this is a form as browsers send it, with files or without. */
export const isSentByPage = (request: Request) =>
  request.method === 'POST' && (isForm(request) || FILE_FORM.test(request.headers.get('content-type') ?? ''))

/** Whether a program sent this: programs send JSON where pages send forms. A missing body has no type. */
export const isProgram = (request: Request) =>
  request.method === 'POST' &&
  !isSentByPage(request) &&
  (request.headers.has('content-type') || !prefersHtml(request))
