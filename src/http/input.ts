import type { TProperties } from '@sinclair/typebox'
import type { Action } from '@/core/action'
import { invalid, invalidField } from '@/core/errors'
import { readJson } from './body'
import { coerce } from './coerce'
import { queryOf } from './visit'

type Fields = Record<string, unknown>

/**
 * One object from the path and either the query or the body; a promise only where there is a body to wait for. Where there is
 * a body, the query is not read: whoever put an id into an address could add fields to the change, and logs keep addresses.
 */
export function readInput(action: Action, request: Request, params: Fields): Fields | Promise<Fields> {
  const { method } = request
  if (method === 'GET' || method === 'DELETE' || method === 'HEAD') {
    const query = readQuery(action.input.properties, request.url)
    return query ? { ...query, ...params } : params
  }
  return readJson(request).then((body) => {
    if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
      throw invalid('The body must be an object')
    return { ...body, ...params }
  })
}

/** Text of the query becomes what the schema says: numbers, booleans, comma lists. */
export function readQuery(properties: TProperties, url: string): Fields | undefined {
  const sent = queryOf(url)
  if (sent === '') return undefined
  const query: Fields = {}
  for (const [name, text] of new URLSearchParams(sent)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema === undefined) continue
    if (Object.hasOwn(query, name)) throw invalidField(name, 'may be given once')
    query[name] = schema.type === 'array' ? text.split(',') : coerce(schema, text)
  }
  return query
}
