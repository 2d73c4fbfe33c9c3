import type { TSchema } from '@sinclair/typebox'
import type { Action } from '@/core/action'
import { invalid } from '@/core/errors'
import { readJson } from './body'
import { queryOf } from './visit'

type Fields = Record<string, unknown>

/** One object from body, query and path; a promise only where there is a body to wait for. */
export function readInput(action: Action, request: Request, params: Fields): Fields | Promise<Fields> {
  const { method } = request
  const query = readQuery(action, request.url)
  if (method === 'GET' || method === 'DELETE' || method === 'HEAD')
    return query ? { ...query, ...params } : params
  return readJson(request).then((body) => {
    if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
      throw invalid('The body must be an object')
    return { ...query, ...body, ...params }
  })
}

/** Text of the query becomes what the schema says: numbers, booleans, comma lists. */
function readQuery(action: Action, url: string): Fields | undefined {
  const sent = queryOf(url)
  if (sent === '') return undefined
  const properties = action.input.properties
  const query: Fields = {}
  for (const [name, text] of new URLSearchParams(sent)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema === undefined) continue
    if (Object.hasOwn(query, name)) throw invalid(`${name} may be given once`)
    query[name] = coerce(schema, text)
  }
  return query
}

function coerce(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number')
    return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (schema.type === 'array') return text.split(',')
  return text
}
