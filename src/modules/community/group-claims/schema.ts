import { type Static, Type } from '@sinclair/typebox'
import { id, line, nullable, oneOf, optional, text, time } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'
import { slug } from '@/modules/community/groups/schema'

const words = () => Type.String()
const wordsOrNull = () => orNull(Type.String())

export const GroupClaimInvite = Type.Object(
  {
    group: Type.Object({ id: wireId(), name: words(), urlname: wordsOrNull(), photoUrl: wordsOrNull() }),
    autoApprove: orNull(
      Type.Boolean({
        description: 'Whether its user becomes an owner without a decision by an administrator.',
      }),
    ),
    claimable: Type.Boolean({ description: 'False if it was used or has expired.' }),
  },
  { $id: 'GroupClaimInvite' },
)

export const GroupClaimResult = Type.Object(
  {
    success: Type.Boolean(),
    status: oneOf(['approved', 'pending'], { description: '`pending` waits for an administrator.' }),
    message: words(),
    requestId: Type.Optional(wireId()),
  },
  { $id: 'GroupClaimResult' },
)
export type GroupClaimResult = Static<typeof GroupClaimResult>

const status = () =>
  oneOf(['pending', 'approved', 'rejected'], { description: '`pending` waits for an administrator.' })

export const GroupClaimRequest = Type.Object(
  {
    id: wireId(),
    group: Type.Object({ id: wireId(), name: words(), urlname: words() }),
    user: Type.Object({ id: wireId(), username: wordsOrNull(), name: words(), avatarUrl: wordsOrNull() }),
    notes: orNull(Type.String({ description: 'What the person wrote.' })),
    status: status(),
    createdAt: wireTime(),
    decidedAt: orNull(wireTime()),
    decidedBy: orNull(
      Type.Object(
        { id: wireId(), username: wordsOrNull() },
        { description: 'The administrator who decided.' },
      ),
    ),
  },
  { $id: 'GroupClaimRequest' },
)
export type GroupClaimRequest = Static<typeof GroupClaimRequest>

export const GroupClaimInviteCreated = Type.Object(
  {
    id: wireId(),
    token: Type.String({ description: 'Shown only once.' }),
    url: Type.String({ description: 'Page to accept the invitation.' }),
    groupId: wireId(),
    autoApprove: Type.Boolean(),
    expiresAt: orNull(wireTime()),
    createdAt: wireTime(),
  },
  { $id: 'GroupClaimInviteCreated' },
)

/** Accepts any line, so that malformed tokens answer 404 instead of 400. */
export const TokenInput = Type.Object({
  token: line(1, 100, { description: 'The token of the invitation.' }),
})

const notes = optional(nullable(text(0, 1000)))

export const ClaimGroupInput = Type.Object({ slug: slug(), notes })

export const RequestsInput = Type.Object({ ...pageFields, status: optional(status()) })

export const RequestInput = Type.Object({ requestId: id() })

export const RejectionInput = Type.Object({ requestId: id(), notes })

export const NewInviteInput = Type.Object({
  groupId: id(),
  autoApprove: optional(Type.Boolean()),
  expiresAt: optional(nullable(time())),
})
