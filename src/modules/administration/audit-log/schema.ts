import { type Static, Type } from '@sinclair/typebox'
import { line, optional, person, time } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const AuditEntry = Type.Object(
  {
    id: wireId(),
    at: wireTime(),
    actorId: orNull(wireId()),
    actor: orNull(Type.String({ description: 'Their username; null if they have none or were deleted.' })),
    actorName: orNull(Type.String({ description: 'Their current name; null if they were deleted.' })),
    action: Type.String({ description: 'The action, such as `user.update`.' }),
    targetType: Type.String(),
    targetId: Type.String(),
    targetName: orNull(
      Type.String({
        description: 'The current name of a person, group or badge; null for other objects and deleted ones.',
      }),
    ),
    changes: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Settings as `{from, to}`, and ids; never texts of a person.',
    }),
    requestId: Type.String({ description: 'The `X-Request-Id` of the response.' }),
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
