import { type Static, Type } from '@sinclair/typebox'
import { line, nullable, oneOf, optional, pattern, sortOrder, text, whole } from '@/core/fields'
import { orNull, wireTime } from '@/core/shapes'
import { icon } from '@/modules/recognition/badges/change'

const OPS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains'] as const
const MODES = ['counter', 'distinct'] as const

const WireCondition = Type.Object(
  {
    field: Type.String(),
    op: oneOf(OPS),
    value: Type.Union([
      Type.String(),
      Type.Number(),
      Type.Boolean(),
      Type.Null(),
      Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    ]),
  },
  { $id: 'AchievementCondition' },
)

export const Achievement = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    icon: orNull(Type.String()),
    color: orNull(Type.String()),
    targetValue: Type.Number(),
    badgeSlug: orNull(Type.String()),
    eventType: Type.String({
      description: 'The type of domain event that counts, such as `checkin.created`.',
    }),
    conditions: Type.Array(WireCondition),
    progressMode: oneOf(MODES),
    progressField: orNull(Type.String()),
    hidden: Type.Boolean(),
    enabled: Type.Boolean(),
    sortOrder: Type.Number(),
    createdAt: wireTime(),
  },
  { $id: 'Achievement' },
)
export type Achievement = Static<typeof Achievement>

const key = pattern(
  '^[a-z0-9]+(?:[_-][a-z0-9]+)*$',
  1,
  100,
  'must be 1 to 100 lower-case letters and digits, with single hyphens or underscores between them',
)

const word = () => text(0, 500)

const condition = Type.Object({
  field: line(1, 100, { description: 'A data field of the domain event.' }),
  op: oneOf(OPS),
  value: Type.Union([
    word(),
    Type.Number(),
    Type.Boolean(),
    Type.Null(),
    Type.Array(Type.Union([word(), Type.Number(), Type.Boolean()]), { maxItems: 100 }),
  ]),
})

const name = line(1, 100)
const targetValue = whole(1, 1_000_000)
const eventType = {
  ...pattern('^[a-z]+\\.[a-z_]+$', 3, 100, 'must be the name of a kind of fact, such as checkin.created'),
  description: 'The type of domain event that counts, such as `checkin.created`.',
}
const details = {
  description: optional(nullable(text(0, 500))),
  icon: optional(nullable(icon())),
  color: optional(nullable(pattern('^#[0-9a-fA-F]{6}$', 7, 7, 'must be a color such as #0ea5e9'))),
  badgeSlug: optional(nullable(line(1, 100, { description: 'A badge of the platform.' }))),
  progressField: optional(
    nullable(
      line(1, 100, { description: 'The field whose distinct values are counted; required for `distinct`.' }),
    ),
  ),
}
// No schema default: it would accept any object as a list. The table has one.
const conditions = optional(
  Type.Array(condition, { maxItems: 10, description: 'All must be met for a domain event to count.' }),
)

export const AchievementRequest = Type.Object(
  {
    key,
    name,
    targetValue,
    eventType,
    ...details,
    conditions,
    progressMode: Type.Unsafe<(typeof MODES)[number]>({ ...oneOf(MODES), default: 'counter' }),
    hidden: Type.Boolean({ default: false }),
    enabled: Type.Boolean({ default: true }),
    sortOrder: sortOrder({ default: 0 }),
  },
  { $id: 'AchievementRequest' },
)

/** The key is immutable, since progress refers to it. No defaults: a partial update must not reset other fields. */
export const AchievementChange = Type.Object({
  key: line(1, 100),
  name: optional(name),
  targetValue: optional(targetValue),
  eventType: optional(eventType),
  ...details,
  conditions,
  progressMode: optional(oneOf(MODES)),
  hidden: optional(Type.Boolean()),
  enabled: optional(Type.Boolean()),
  sortOrder: optional(sortOrder()),
})

export const AchievementInput = Type.Object({ key: line(1, 100) })
