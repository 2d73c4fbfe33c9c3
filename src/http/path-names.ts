import { Kind, type TSchema, Type } from '@sinclair/typebox'
import type { Action } from '@/core/action'
import { isAppError } from '@/core/errors'
import { isId } from '@/core/ids'
import { parser } from '@/core/parse'

type Params = Record<string, string>

/** An id with a UUID version that we never create. */
const NO_ID = '00000000-0000-8000-8000-000000000000'
/** No username, slug, code or key contains it. */
const NO_NAME = '?'

/** Valid for every `line`, so most names skip the full check. */
const PLAIN = /^[\w.-]{1,36}$/

/**
 * Replaces a malformed name in the path by one that matches nothing: it then passes the same checks in the same order as a
 * missing object, with the same bytes.
 */
export function pathNames(action: Action): (params: Params) => Params {
  const readers = new Map(
    Object.entries(action.input.properties).map(([name, schema]) => [name, reader(schema)]),
  )
  return (params) => {
    let read = params
    for (const name in params) {
      const given = params[name] as string
      const meant = readers.get(name)?.(given) ?? given
      if (meant === given) continue
      if (read === params) read = { ...params }
      read[name] = meant
    }
    return read
  }
}

/** The same for input without a path. */
export function idNames(action: Action): (input: Record<string, unknown>) => Record<string, unknown> {
  const names = Object.keys(action.input.properties).filter(
    (name) => action.input.properties[name]?.[Kind] === 'Id',
  )
  const isMalformed = (given: unknown) => typeof given === 'string' && !isId(given)
  return (input) => {
    const malformed = names.filter((name) => isMalformed(input[name]))
    if (malformed.length === 0) return input
    return { ...input, ...Object.fromEntries(malformed.map((name) => [name, NO_ID])) }
  }
}

/** The rest of a path as one name. The framework leaves it encoded, so slashes arrive either way. */
export function restName(action: Action, rest: string): (params: Params) => Params {
  const readNames = pathNames(action)
  return ({ '*': given = '', ...params }) => readNames({ ...params, [rest]: decodedRest(given) })
}

/** An undecodable name matches nothing. */
export function decodedRest(given: string): string {
  try {
    return decodeURIComponent(given)
  } catch {
    return NO_NAME
  }
}

function reader(schema: TSchema): (given: string) => string {
  if (schema[Kind] === 'Id') return (given) => (isId(given) ? given : NO_ID)
  const parse = parser(Type.Object({ name: schema }))
  const takesPlain = schema[Kind] === 'Line' && schema.minLength <= 1 && schema.maxLength >= 36
  return (given) => ((takesPlain && PLAIN.test(given)) || fits(parse, given) ? given : NO_NAME)
}

function fits(parse: (raw: unknown) => unknown, name: string): boolean {
  try {
    parse({ name })
    return true
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}
