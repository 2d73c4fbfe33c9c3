import { type Static, Type } from '@sinclair/typebox'
import { id, line, nullable, optional, time, whole } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'

const text = () => Type.String()
const textOrNull = () => orNull(Type.String())

const badge = {
  name: text(),
  slug: text(),
  description: textOrNull(),
  icon: text(),
  iconUrl: textOrNull(),
  color: text(),
  points: Type.Number(),
}

export const ClaimInfo = Type.Object(
  {
    badge: Type.Object({ ...badge, color: textOrNull() }),
    group: orNull(Type.Object({ name: text(), urlname: textOrNull(), photoUrl: textOrNull() })),
    claimable: Type.Boolean({ description: 'Whether the badge can be claimed now.' }),
    reason: Type.Optional(Type.String({ description: 'Why it does not.' })),
  },
  { $id: 'ClaimInfo' },
)
export type ClaimInfo = Static<typeof ClaimInfo>

export const ClaimBadgeResponse = Type.Object({ badge: Type.Object(badge) }, { $id: 'ClaimBadgeResponse' })
export type ClaimBadgeResponse = Static<typeof ClaimBadgeResponse>

export const ClaimLink = Type.Object(
  {
    id: wireId(),
    code: Type.String({ description: 'The claim code.' }),
    maxUses: orNull(Type.Number()),
    currentUses: Type.Number(),
    expiresAt: orNull(wireTime()),
    createdAt: orNull(wireTime()),
  },
  { $id: 'ClaimLink' },
)
export type ClaimLink = Static<typeof ClaimLink>

/** Accepts any line, so that malformed codes answer 404 instead of 400. */
export const CodeInput = Type.Object({
  code: line(1, 100, { description: 'The claim code, in upper or lower case.' }),
})

const groupId = id()
const badgeId = id()

export const LinksInput = Type.Object({ groupId, badgeId, ...pageFields })

const limits = {
  maxUses: optional(nullable(whole(1, 1_000_000))),
  expiresAt: optional(nullable(time())),
}

export const NewLinkInput = Type.Object({ groupId, badgeId, ...limits })

export const NewPlatformLinkInput = Type.Object({ badgeId, ...limits })

export const LinkInput = Type.Object({ groupId, linkId: id() })
