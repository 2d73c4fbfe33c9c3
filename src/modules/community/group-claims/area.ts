import { Elysia } from 'elysia'
import type { EventData } from '@/core/domain-events'
import type { Tx } from '@/db/client'
import { serve } from '@/http/serve'
import { post } from '@/mail/post'
import { toolbox } from '@/mcp/tool'
import { listener } from '@/outbox/listener'
import { acceptGroupInvite, claimGroup, readGroupInvite } from './actions'
import {
  approveGroupClaim,
  createGroupInvite,
  listGroupClaims,
  rejectGroupClaim,
} from './administration-actions'
import { claimDecidedLetter } from './letters'
import { findGrantedClaim } from './queries'

const groupClaimsTools = toolbox({
  admin_claims_list: [
    listGroupClaims,
    {
      title: 'List claims to groups',
      description: 'Lists who asks to run which group, for administrators to decide.',
    },
  ],
  admin_claims_approve: [
    approveGroupClaim,
    {
      title: 'Approve a claim',
      idempotent: true,
      description:
        'Makes whoever asked an owner of the group. Check who they are first. Example: {"requestId":"…"}.',
    },
  ],
  admin_claims_reject: [
    rejectGroupClaim,
    {
      title: 'Reject a claim',
      idempotent: true,
      destructive: true,
      description: 'Rejects a claim; the person is told. Example: {"requestId":"…"}.',
    },
  ],
})

const mailDecision = (tx: Tx, userId: string, claimId: string) =>
  post(tx, claimDecidedLetter, [userId], { fact: claimId, data: { claimId } })

/** Mails the decision to claimants; owners by invitation already know. */
const claimMailListener = listener({
  name: 'group-claim-mail',
  on: ['group.claimed', 'group.claim_rejected'],
  react: async (tx, { type, data }) => {
    if (type === 'group.claim_rejected') {
      const { userId, requestId } = data as EventData<'group.claim_rejected'>
      return mailDecision(tx, userId, requestId)
    }
    const { groupId, userId } = data as EventData<'group.claimed'>
    const granted = await findGrantedClaim(tx, groupId, userId)
    if (granted) await mailDecision(tx, userId, granted.id)
  },
})

const claiming = new Elysia({ prefix: '/v1/groups', tags: ['Claims'] })
  .get('/claim/:token', ...serve(readGroupInvite))
  .post('/claim/:token', ...serve(acceptGroupInvite))
  .post('/:slug/claim', ...serve(claimGroup, { status: 201 }))

const administration = new Elysia({ prefix: '/v1/admin', tags: ['Administration'] })
  .get('/group-claims', ...serve(listGroupClaims))
  .post('/group-claims/:requestId/approve', ...serve(approveGroupClaim))
  .post('/group-claims/:requestId/reject', ...serve(rejectGroupClaim))
  .post('/groups/:groupId/claim-invites', ...serve(createGroupInvite, { status: 201 }))

const groupClaimRoutes = new Elysia().use(claiming).use(administration)

export const groupClaimsArea = {
  routes: groupClaimRoutes,
  tools: groupClaimsTools,
  listeners: [claimMailListener],
  letters: [claimDecidedLetter],
}
