import { Type } from '@sinclair/typebox'
import { id, line, oneOf, optional } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'

const DIRECTIONS = ['inbound', 'outbound'] as const
export type Direction = (typeof DIRECTIONS)[number]

const direction = (description: string) => ({ ...oneOf(DIRECTIONS), description })

export const MeetpassConnection = Type.Object(
  {
    id: wireId(),
    connectedUserId: orNull(wireId()),
    visitorAnonId: orNull(
      Type.String({
        description: 'Id of an anonymous visitor; differs for each pass owner.',
      }),
    ),
    createdAt: orNull(wireTime()),
    direction: direction('`inbound` when your pass was tapped, `outbound` when you tapped theirs.'),
    connectedName: orNull(Type.String()),
    connectedUsername: orNull(Type.String({ description: 'Null for a private profile.' })),
    connectedAvatarUrl: orNull(Type.String()),
  },
  { $id: 'MeetpassConnection' },
)

/** A connection on a public profile. */
export const ConnectionEntry = Type.Object(
  {
    username: orNull(Type.String()),
    name: orNull(Type.String()),
    avatarUrl: orNull(Type.String()),
    connectedAt: orNull(wireTime()),
  },
  { $id: 'ConnectionEntry' },
)

export const UserConnectionsInput = Type.Object({ username: line(1, 100), ...pageFields })

export const ConnectionsInput = Type.Object({
  direction: optional(
    direction('Only those in which your pass was tapped, or only those in which you tapped one.'),
  ),
  ...pageFields,
})

export const ConnectionInput = Type.Object({ id: id() })
