import { Kind, OptionalKind, type TObject, type TSchema } from '@sinclair/typebox'
import { randomHex } from '@/core/codes'
import { HOUR_MS } from './time'

type Values = Record<string, unknown>

const later = (days: number) => new Date(Date.now() + days * 24 * HOUR_MS).toISOString()
const word = () => `w${randomHex(4)}`

/** Fields whose meaning a schema does not tell. The number is how many things a list should have. */
const KNOWN: Record<string, (count: number) => unknown> = {
  timezone: () => 'Europe/Berlin',
  startTime: () => later(1),
  endTime: () => later(2),
  startTimes: (count) => Array.from({ length: Math.min(count, 5) }, (_, i) => later(i + 1)),
  icon: () => '🎉',
  color: () => '#123456',
  id: word,
  slug: word,
  key: () => `test-${randomHex(6)}`,
  urlname: word,
  username: word,
  entitlement: () => 'group_creation',
  eventType: () => 'checkin.created',
  badgeSlug: () => null,
  designId: () => null,
  startAt: () => 1,
  checkinCodeId: () => null,
  scopes: (count) => ['read:user', 'read:groups', 'read:events', 'user'].slice(0, Math.max(1, count % 5)),
  redirectUris: (count) =>
    Array.from({ length: Math.max(1, count % 10) }, (_, i) => `https://x.example/${i}`),
  eventTypes: (count) => ['rsvp.*', 'event.*', 'user.*', 'group.*'].slice(0, Math.max(1, count % 5)),
  conditions: (count) =>
    Array.from({ length: count % 10 }, (_, i) => ({ field: `f${i}`, op: 'eq', value: i })),
  url: (count) => `http://127.0.0.1:9/${count}`,
  email: () => `${word()}@x.example`,
  group: (count) => Array.from({ length: count }, word).join(','),
  badge: (count) => Array.from({ length: Math.max(1, count % 10) }, word).join(','),
}

export type Shape = { values: Values; names: string[] }

/** What a caller may leave out, path and page aside. */
export const optionalFields = (input: TObject): string[] =>
  Object.entries(input.properties)
    .filter(([name, schema]) => isOptional(input, name, schema) && !PAGE.includes(name))
    .map(([name]) => name)

const PAGE = ['limit', 'cursor', 'before', 'offset']

const isOptional = (input: TObject, name: string, schema: TSchema) =>
  schema[OptionalKind] !== undefined || 'default' in schema || !input.required?.includes(name)

/** Input that fits: what is required, and of the rest what is wanted. */
export function inputWith(input: TObject, wanted: string[], count: number, known: Values): Values {
  const chosen = Object.entries(input.properties).filter(
    ([name, schema]) =>
      !(name in known) && (wanted.includes(name) || !isOptional(input, name, schema)) && !PAGE.includes(name),
  )
  return Object.fromEntries(chosen.map(([name, schema]) => [name, sampleOf(name, schema, count)]))
}

function sampleOf(name: string, schema: TSchema, count: number): unknown {
  if (schema[Kind] === 'Union') {
    // A guest needs a name or an address, so the address is never null: most shapes of one would be refused.
    const members = (schema.anyOf as TSchema[]).filter((one) => name !== 'email' || one[Kind] !== 'Null')
    return sampleOf(name, members[count % members.length] as TSchema, count)
  }
  if (schema[Kind] === 'Null') return null
  if (schema[Kind] === 'Literal') return schema.const
  const known = KNOWN[name]
  if (known) return known(count)
  switch (schema[Kind]) {
    case 'Boolean':
      return count % 2 === 0
    case 'Integer':
      return Math.min((schema.minimum as number) + (count % 5), schema.maximum as number)
    case 'Number':
      return count % 90
    case 'Array':
      return Array.from({ length: Math.min(count, schema.maxItems ?? 20) }, (_, i) =>
        sampleOf(`${name}[]`, schema.items as TSchema, i),
      )
    case 'Object':
      return Object.fromEntries(
        Object.entries(schema.properties as Record<string, TSchema>).map(([key, field]) => [
          key,
          sampleOf(key, field, count),
        ]),
      )
    case 'WebUrl':
      return `https://x.example/${count}`
    case 'Time':
      return later(3)
    case 'Unknown':
      return {}
    default:
      return word()
  }
}
