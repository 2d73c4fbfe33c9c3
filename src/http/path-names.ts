import { Kind, type TSchema, Type } from '@sinclair/typebox'
import type { Action } from '@/core/action'
import { isAppError } from '@/core/errors'
import { isId } from '@/core/ids'
import { parser } from '@/core/parse'

type Params = Record<string, string>

/** An id of a UUID version that we never make. */
const NOBODYS_ID = '00000000-0000-8000-8000-000000000000'
/** A character that no username, slug, code or key holds. */
const NOBODYS_NAME = '?'

/** Names that every `line` accepts, so most need no closer look. */
const PLAIN = /^[\w.-]{1,36}$/

/**
 * A name in the path that can name nothing, such as a malformed id, stands for one that names nothing: from there on
 * it goes the way of a thing that is not there, and is answered by the same checks in the same order, byte for byte.
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

/** The same for input that has no path: a malformed id stands for one that names nothing. */
export function idNames(action: Action): (input: Record<string, unknown>) => Record<string, unknown> {
  const names = Object.keys(action.input.properties).filter(
    (name) => action.input.properties[name]?.[Kind] === 'Id',
  )
  const isMalformed = (given: unknown) => typeof given === 'string' && !isId(given)
  return (input) => {
    const malformed = names.filter((name) => isMalformed(input[name]))
    if (malformed.length === 0) return input
    return { ...input, ...Object.fromEntries(malformed.map((name) => [name, NOBODYS_ID])) }
  }
}

/** The rest of a path as one name. The framework leaves it encoded, so that its slashes may come either way. */
export function restName(action: Action, rest: string): (params: Params) => Params {
  const readNames = pathNames(action)
  return ({ '*': given = '', ...params }) => readNames({ ...params, [rest]: decodedRest(given) })
}

/** One that cannot be decoded names nothing. */
export function decodedRest(given: string): string {
  try {
    return decodeURIComponent(given)
  } catch {
    return NOBODYS_NAME
  }
}

function reader(schema: TSchema): (given: string) => string {
  if (schema[Kind] === 'Id') return (given) => (isId(given) ? given : NOBODYS_ID)
  const parse = parser(Type.Object({ name: schema }))
  const takesPlain = schema[Kind] === 'Line' && schema.minLength <= 1 && schema.maxLength >= 36
  return (given) => ((takesPlain && PLAIN.test(given)) || fits(parse, given) ? given : NOBODYS_NAME)
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
