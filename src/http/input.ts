import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Action } from '@/core/action'
import { invalid, invalidField } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { readJson } from './body'
import { queryOf } from './visit'

/** Converts text of a query or form to its schema's type. Text that does not fit stays text, which the schema refuses. */
export function coerce(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number')
    return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

type Fields = Record<string, unknown>

/**
 * Merges the path with either the query or the body; async only with a body. The query is not read beside a body: the author of a
 * link could add fields to the change, and logs store addresses.
 */
export function readInput(action: Action, request: Request, params: Fields): Fields | Promise<Fields> {
  const { method } = request
  if (hasQuery(method)) {
    const query = readQuery(action.input.properties, request.url)
    return query ? { ...query, ...params } : params
  }
  return readJson(request).then((body) => {
    if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
      throw invalid(refusals.objectOnly)
    return { ...body, ...params }
  })
}

const hasQuery = (method: string) => method === 'GET' || method === 'DELETE' || method === 'HEAD'

/** Converts query text to the schema's types: numbers, booleans, comma lists. */
export function readQuery(properties: TProperties, url: string): Fields | undefined {
  const sent = queryOf(url)
  if (sent === '') return undefined
  const query: Fields = {}
  for (const [name, text] of new URLSearchParams(sent)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema === undefined) continue
    if (Object.hasOwn(query, name)) throw invalidField(name, refusals.onlyOnce)
    query[name] = schema.type === 'array' ? text.split(',') : coerce(schema, text)
  }
  return query
}

const NAME = /^[\w.[\]-]{1,40}$/
const NAMES_MAX = 10

/**
 * Unused query parameters, to be named in a header. They are not refused: links collect foreign parameters (`utm_source`, `_`),
 * clients send fields of later versions, and unknown body properties are ignored as well.
 */
export function ignoredIn({ input }: Action, { method, url }: Request, params: Fields): string | undefined {
  const sent = queryOf(url)
  if (sent === '') return undefined
  const isRead = (name: string) =>
    hasQuery(method) && Object.hasOwn(input.properties, name) && !Object.hasOwn(params, name)
  const names = new Set(
    [...new URLSearchParams(sent).keys()].filter((name) => !isRead(name) && NAME.test(name)),
  )
  return names.size > 0 ? [...names].slice(0, NAMES_MAX).join(', ') : undefined
}
