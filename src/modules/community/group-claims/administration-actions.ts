import { hashSecret } from '@/auth/secrets'
import { config } from '@/config/config'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { invalidField, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { lockStaff } from '@/modules/community/groups/staff/queries'
import { emit } from '@/outbox/emit'
import { decide } from './decide'
import { insertInvite, type ListedClaim, listClaims, NEWEST_FIRST } from './queries'
import { makeOwner } from './relation'
import {
  GroupClaimInviteCreated,
  GroupClaimRequest,
  NewInviteInput,
  RejectionInput,
  RequestInput,
  RequestsInput,
} from './schema'

const TOKEN_BYTES = 16

export const listGroupClaims = action({
  name: 'listGroupClaims',
  access: 'admin',
  reads: true,
  summary: 'List ownership requests',
  description: 'The newest first.',
  input: RequestsInput,
  output: pageOf(GroupClaimRequest),
  run: (_caller, { status, ...input }) =>
    keysetPage(
      {
        list: 'group-claims',
        filters: { status },
        input,
        order: NEWEST_FIRST,
        rows: (after) => listClaims(db, status, after),
      },
      presentClaim,
    ),
})

export const approveGroupClaim = action({
  name: 'approveGroupClaim',
  access: 'admin',
  summary: 'Approve an ownership request',
  input: RequestInput,
  output: GroupClaimRequest,
  errors: ['not_found', 'conflict'],
  run: (caller, { requestId }) =>
    transaction(async (tx) => {
      const claim = await decide(tx, caller, requestId, { status: 'approved', notes: null })
      await makeOwner(tx, claim.group.id, claim.user.id)
      return presentClaim(claim)
    }),
})

export const rejectGroupClaim = action({
  name: 'rejectGroupClaim',
  access: 'admin',
  summary: 'Reject an ownership request',
  description: 'The person may request it again.',
  input: RejectionInput,
  output: GroupClaimRequest,
  errors: ['not_found', 'conflict'],
  run: (caller, { requestId, notes }) =>
    transaction(async (tx) => {
      const claim = await decide(tx, caller, requestId, { status: 'rejected', notes: notes || null })
      await emit(tx, 'group.claim_rejected', { requestId, groupId: claim.group.id, userId: claim.user.id })
      return presentClaim(claim)
    }),
})

export const createGroupInvite = action({
  name: 'createGroupInvite',
  access: 'admin',
  summary: 'Invite a person to own a group',
  description: 'The invitation works once. The response contains its token, which cannot be read again.',
  input: NewInviteInput,
  output: GroupClaimInviteCreated,
  errors: ['not_found'],
  secret: true,
  run: (caller, { groupId, autoApprove = false, expiresAt: until }) => {
    const expiresAt = until ? new Date(until) : null
    if (expiresAt && expiresAt <= now()) throw invalidField('expiresAt', refusals.inFuture)
    const token = randomHex(TOKEN_BYTES)
    return transaction(async (tx) => {
      if ((await lockStaff(tx, groupId)).length === 0) throw notFound('Group')
      const { id, createdAt } = await insertInvite(tx, {
        id: newId(),
        groupId,
        hash: hashSecret(token),
        autoApprove,
        expiresAt,
      })
      await audit(tx, caller, {
        action: 'group_claim_invite.create',
        targetType: 'group_claim_invite',
        targetId: id,
        changes: { groupId, autoApprove, expiresAt: iso(expiresAt) },
      })
      return {
        id,
        token,
        url: `${config.baseUrl}/groups/claim/${token}`,
        groupId,
        autoApprove,
        expiresAt: iso(expiresAt),
        createdAt: iso(createdAt),
      }
    })
  },
})

const presentClaim = ({ claim, group, user, decidedBy }: ListedClaim): GroupClaimRequest => ({
  id: claim.id,
  group,
  user,
  notes: claim.notes,
  status: claim.status,
  createdAt: iso(claim.createdAt),
  decidedAt: iso(claim.decidedAt),
  decidedBy,
})
