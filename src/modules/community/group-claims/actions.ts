import { hashSecret } from '@/auth/secrets'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, gone, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import { type Db, db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { lockGroupNamed } from '@/modules/community/favorites/queries'
import { findGroupWithRole } from '@/modules/community/groups/queries'
import { lockStaff } from '@/modules/community/groups/staff/queries'
import { mayKnowGroup } from '@/modules/community/groups/visible'
import { emit } from '@/outbox/emit'
import {
  type FoundInvite,
  findInvite,
  findPendingClaim,
  insertClaim,
  settleClaimsOf,
  useInvite,
} from './queries'
import { makeOwner } from './relation'
import { ClaimGroupInput, GroupClaimInvite, GroupClaimResult, TokenInput } from './schema'

export const readGroupInvite = action({
  name: 'readGroupInvite',
  access: 'public',
  reads: true,
  summary: 'Read an invitation to a group',
  description: 'A used or expired invitation is returned as not claimable.',
  input: TokenInput,
  output: GroupClaimInvite,
  errors: ['not_found'],
  failureLimit: true,
  run: async (_caller, { token }) => {
    const invite = await inviteOf(db, token)
    return { group: invite.group, autoApprove: invite.autoApprove, claimable: isClaimable(invite, now()) }
  },
})

export const acceptGroupInvite = action({
  name: 'acceptGroupInvite',
  access: 'manage:groups',
  summary: 'Claim a group with an invitation',
  description:
    'Makes you an owner if the invitation has automatic approval; otherwise an administrator decides.',
  input: TokenInput,
  output: GroupClaimResult,
  errors: ['not_found', 'gone'],
  failureLimit: true,
  run: ({ userId }, { token }) =>
    transaction(async (tx) => {
      const { id, autoApprove, group } = await inviteOf(tx, token)
      await lockStaff(tx, group.id)
      const found = await findGroupWithRole(tx, group.id, userId)
      if (found?.role === 'owner') return approved(refusals.groupOwned)
      const at = now()
      if (!(await useInvite(tx, id, userId, at))) throw spent(await inviteOf(tx, token))
      if (!autoApprove) {
        const asked = await ask(tx, { groupId: group.id, userId, notes: null })
        // Decisions take the same lock, so the conflicting claim is still pending.
        return pending(asked ?? (await findPendingClaim(tx, group.id, userId))?.id)
      }
      await makeOwner(tx, group.id, userId)
      await settleClaimsOf(tx, group.id, userId, at)
      return approved('You are an owner of this group now')
    }),
})

export const claimGroup = action({
  name: 'claimGroup',
  access: 'manage:groups',
  summary: 'Request ownership of a group',
  description: 'An administrator decides.',
  input: ClaimGroupInput,
  output: GroupClaimResult,
  errors: ['not_found', 'conflict'],
  run: (caller, { slug, notes }) =>
    transaction(async (tx) => {
      const { userId } = caller
      const group = await lockGroupNamed(tx, slug)
      if (!group || !(await mayKnowGroup(tx, caller, group))) throw notFound('Group')
      const found = await findGroupWithRole(tx, group.id, userId)
      if (found?.role === 'owner') throw conflict(refusals.groupOwned)
      const asked = await ask(tx, { groupId: group.id, userId, notes: notes || null })
      if (!asked) throw conflict(refusals.groupRequested)
      return pending(asked)
    }),
})

const approved = (message: string): GroupClaimResult => ({ success: true, status: 'approved', message })

const pending = (requestId: string | undefined): GroupClaimResult => ({
  success: true,
  status: 'pending',
  message: 'You have asked for this group: an administrator will decide',
  requestId,
})

type Asked = { groupId: string; userId: string; notes: string | null }

/** Returns undefined if this person already has a pending claim. */
async function ask(tx: Tx, { groupId, userId, notes }: Asked): Promise<string | undefined> {
  const claim = await insertClaim(tx, { id: newId(), groupId, userId, notes })
  if (claim) await emit(tx, 'group.claim_requested', { requestId: claim.id, groupId, userId })
  return claim?.id
}

async function inviteOf(db: Db | Tx, token: string): Promise<FoundInvite> {
  const invite = await findInvite(db, hashSecret(token))
  if (!invite) throw notFound('Invitation')
  return invite
}

const isClaimable = ({ usedAt, expiresAt }: FoundInvite, at: Date) =>
  usedAt === null && (expiresAt === null || expiresAt > at)

const spent = ({ usedAt }: FoundInvite) =>
  gone(usedAt === null ? refusals.invitationExpired : refusals.invitationUsed)
