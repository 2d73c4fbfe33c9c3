import type { Static } from '@sinclair/typebox'
import { iso } from '@/core/shapes'
import { anonIdFor } from './anon-id'
import type { ConnectionRow } from './queries'
import type { ConnectionEntry, MeetpassConnection } from './schema'

/** A private person is shown by name and picture: they met. Their profile stays hidden. */
export const presentConnection =
  (userId: string) =>
  (row: ConnectionRow): Static<typeof MeetpassConnection> => ({
    id: row.id,
    direction: row.direction,
    createdAt: iso(row.createdAt),
    connectedUserId: row.personId,
    connectedName: row.name,
    connectedUsername: row.isPublic ? row.username : null,
    connectedAvatarUrl: row.avatarUrl,
    visitorAnonId: row.strangerHash === null ? null : anonIdFor(userId, row.strangerHash),
  })

export const presentEntry = ({
  username,
  name,
  avatarUrl,
  createdAt,
}: ConnectionRow): Static<typeof ConnectionEntry> => ({
  username,
  name,
  avatarUrl,
  connectedAt: iso(createdAt),
})
