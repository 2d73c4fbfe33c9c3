import type { TObject } from '@sinclair/typebox'
import { TEXTS, wordFor } from './sample-words'

/** JSON Schema, as far as ours uses it. */
// biome-ignore lint/suspicious/noExplicitAny: a schema is arbitrary JSON.
type Schema = Record<string, any>

type Place = {
  /** The name of the surrounding property or schema. */
  within: string
  /** Resolves a `$ref`. */
  resolve: (ref: string) => Schema
}

const NO_PLACE: Place = {
  within: '',
  resolve: (ref) => {
    throw new Error(`Nothing to look ${ref} up in`)
  },
}

/** A deterministic example of a domain event's data. */
export const sampleOf = (schema: TObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [
      name,
      exampleOf(name, field, { ...NO_PLACE, within: 'event' }),
    ]),
  )

/** An example of a schema, which a test validates. */
export function exampleOf(name: string, schema: Schema, place: Place = NO_PLACE): unknown {
  if (schema.$ref !== undefined) return referred(name, schema.$ref, place)
  if (schema.const !== undefined) return schema.const
  const word = wordFor(name, place.within)
  if (word === null && isNullable(schema)) return null
  const members: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (members) return exampleOf(name, members.find(({ type }) => type !== 'null') as Schema, place)
  if (schema.enum) return schema.enum.includes(word) ? word : schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type.find((one: string) => one !== 'null') : schema.type
  switch (type) {
    case 'array':
      return Array.isArray(word) && schema.items?.type !== 'object'
        ? word
        : [exampleOf(name, schema.items ?? {}, place)]
    case 'object':
      return objectOf(name, schema, place)
    case 'integer':
    case 'number':
      return bounded(typeof word === 'number' ? word : 10, schema)
    case 'boolean':
      return typeof word === 'boolean' ? word : true
    case 'string':
      return typeof word === 'string' && isMatched(word, schema) ? word : textOf(name, schema)
    default:
      return word ?? name
  }
}

const isNullable = ({ type, anyOf }: Schema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some(isNullable)

function referred(name: string, ref: string, place: Place): unknown {
  const within = ref.slice(ref.lastIndexOf('/') + 1)
  return exampleOf(name, place.resolve(ref), { ...place, within })
}

function objectOf(name: string, { properties, additionalProperties }: Schema, place: Place): unknown {
  const within = name || place.within
  const own = Object.entries((properties ?? {}) as Record<string, Schema>).map(
    ([key, field]) => [key, exampleOf(key, field, { ...place, within })] as const,
  )
  if (own.length > 0 || typeof additionalProperties !== 'object') return Object.fromEntries(own)
  const key = String(wordFor('key', within) ?? 'key')
  return { [key]: exampleOf(key, additionalProperties, { ...place, within }) }
}

const bounded = (wanted: number, { minimum = wanted, maximum = wanted }: Schema) =>
  Math.min(Math.max(wanted, minimum), maximum)

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

const isMatched = (text: string, { pattern }: Schema) =>
  pattern === undefined || new RegExp(pattern).test(text)

function textOf(name: string, schema: Schema): string {
  const { format } = schema
  if (format === 'uuid') return ID
  if (format === 'date-time') return '2027-05-06T18:30:00.000Z'
  if (format === 'uri') return 'https://example.org/'
  if (/(At|Time|Until)$/.test(name)) return '2027-05-06T18:30:00.000Z'
  if (/(Url|Uri)$/.test(name)) return 'https://example.org/'
  return isMatched(name, schema) ? name : (TEXTS.find((text) => isMatched(text, schema)) ?? name)
}
