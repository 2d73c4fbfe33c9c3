import { randomHex } from '@/core/codes'
import type { Random } from '../support/random'
import { inHours } from '../support/time'
import type { Schema } from './operations'

/** What a schema alone does not say: fields whose values mean something. */
const MEANT: Record<string, (chance: Random) => unknown> = {
  icon: ({ pick }) => pick(['🏅', '🐦', '🧭']),
  color: () => '#123456',
  timezone: ({ pick }) => pick(['Europe/Berlin', 'UTC', 'America/New_York']),
  email: () => `person-${randomHex(5)}@example.org`,
  scopes: () => ['read:user'],
  slug: () => `slug-${randomHex(5)}`,
  urlname: () => `group-${randomHex(5)}`,
  username: () => `user-${randomHex(5)}`,
  key: () => `key-${randomHex(5)}`,
  eventType: () => 'badge.awarded',
  eventTypes: ({ pick }) => pick([['*'], ['rsvp.*'], ['event.published']]),
  redirectUris: () => ['https://app.example/callback'],
  redirect_uris: () => ['https://app.example/callback'],
  startTime: () => inHours(2).toISOString(),
  dateTime: () => inHours(2).toISOString(),
  endTime: () => inHours(4).toISOString(),
  expiresAt: () => inHours(48).toISOString(),
  conditions: () => [],
  badgeSlug: () => 'explorer',
  progressField: () => 'badgeId',
  method: ({ pick }) =>
    pick(['ping', 'initialize', 'tools/list', 'tools/call', 'resources/list', 'prompts/get', 'link', 'qr']),
  points: ({ pick }) => pick([0, 5, 50]),
  hidden: ({ chance }) => chance(0.3),
}

/** A value that fits a schema; of an object the optional fields now and then. */
export function sample(schema: Schema, schemas: Record<string, Schema>, dice: Random, name = ''): unknown {
  if (schema.$ref !== undefined) return sample(schemas[schema.$ref.split('/').at(-1)], schemas, dice, name)
  if (schema.anyOf !== undefined) return sample(dice.pick(schema.anyOf as Schema[]), schemas, dice, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return dice.pick(schema.enum)
  const meant = MEANT[name]
  if (meant !== undefined) return meant(dice)
  const types = [schema.type].flat()
  if (types.includes('null') && dice.chance(0.2)) return null
  switch (types[0]) {
    case 'object': {
      const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(
        ([field]) => schema.required?.includes(field) || dice.chance(0.4),
      )
      return Object.fromEntries(fields.map(([field, one]) => [field, sample(one, schemas, dice, field)]))
    }
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, dice.chance(0.5) ? 1 : 2) }, () =>
        sample(schema.items ?? {}, schemas, dice, name),
      )
    case 'integer':
    case 'number':
      return dice.pick([
        schema.minimum ?? 1,
        Math.min(schema.maximum ?? 7, 7),
        Math.min(schema.maximum ?? 50, 50),
      ])
    case 'boolean':
      return dice.chance(0.5)
    default:
      return sampleText(schema, dice)
  }
}

function sampleText({ format, minLength = 1, maxLength = 50 }: Schema, { pick }: Random): string {
  if (format === 'uri') return pick(['https://example.org/a', 'http://127.0.0.1:9/hook']) as string
  if (format === 'date-time') return inHours(3).toISOString()
  if (format === 'uuid') return Bun.randomUUIDv7()
  const text = pick(['Berlin', 'Zoë 🎈', 'a-b', 'Ordinary text']) as string
  return text.slice(0, maxLength).padEnd(minLength, 'x')
}
