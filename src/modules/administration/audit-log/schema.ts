import { type Static, Type } from '@sinclair/typebox'
import { line, optional, person, time } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const AuditEntry = Type.Object(
  {
    id: wireId(),
    at: wireTime(),
    actorId: orNull(wireId()),
    actor: orNull(Type.String({ description: 'Their username; null when they have none or are gone.' })),
    actorName: orNull(Type.String({ description: 'Their name now; null when they are gone.' })),
    action: Type.String({ description: 'What was done, such as `user.update`.' }),
    targetType: Type.String(),
    targetId: Type.String(),
    targetName: orNull(
      Type.String({
        description: 'The name now of a person, a group or a badge; null for others and when it is gone.',
      }),
    ),
    changes: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Settings as `{from, to}`, and ids; never what a person wrote.',
    }),
    requestId: Type.String({ description: 'The `X-Request-Id` of the answer.' }),
  },
  { $id: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditLogInput = Type.Object({
  ...pageFields,
  actor: optional(person('The id or the username of an administrator.')),
  action: optional(line(1, 100, { description: 'Only this action, such as `user.update`.' })),
  from: optional(time({ description: 'Only from this time on.' })),
  to: optional(time({ description: 'Only before this time.' })),
})
