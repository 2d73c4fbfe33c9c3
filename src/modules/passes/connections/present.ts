import type { Static } from '@sinclair/typebox'
import { config } from '@/config/config'
import { iso } from '@/core/shapes'
import type { ConnectionRow } from './queries'
import type { ConnectionEntry, MeetpassConnection } from './schema'

/** Shows name and picture even of private people: the two have met. Their profile stays hidden. */
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

/** An id per owner: the cookie hash stays secret, and owners cannot find out that one browser tapped both their passes. */
const anonIdFor = (ownerId: string, strangerHash: Uint8Array): string =>
  new Bun.CryptoHasher('sha256', config.secretKey)
    .update(`stranger\n${ownerId}\n`)
    .update(strangerHash)
    .digest('base64url')
    .slice(0, 22)
