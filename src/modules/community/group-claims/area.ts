import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { config } from '@/config/config'
import type { EventData } from '@/core/domain-events'
import { id } from '@/core/fields'
import { db, type Tx } from '@/db/client'
import { serve } from '@/http/serve'
import { named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
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
import { findClaim, findGrantedClaim } from './queries'

/** Leaves out the administrators' internal notes. */
const claimDecidedLetter = letter({
  name: 'claim-decided',
  kind: 'claimDecided',
  urgency: 'important',
  data: Type.Object({ claimId: id() }),
  write: async ({ reader, words: { newsMails } }, { claimId }) => {
    const found = await findClaim(db, claimId)
    if (!found || found.user.id !== reader?.userId || found.claim.status === 'pending') return null
    const { group } = found
    const name = named(group.name)
    if (found.claim.status === 'approved') {
      const { subject, title, text, button } = newsMails.claimApproved
      const url = `${config.baseUrl}/manage/groups/${group.id}`
      return { subject: subject(name), title, parts: [{ say: text(name) }, { button, url }] }
    }
    const { subject, title, text, next, button } = newsMails.claimRejected
    const url = `${config.baseUrl}/groups/${group.urlname}`
    return { subject: subject(name), title, parts: [{ say: text(name) }, { say: next }, { button, url }] }
  },
})

const groupClaimsTools = toolbox({
  admin_claims_list: [
    listGroupClaims,
    {
      title: 'List ownership requests',
      description: 'Lists requests to own groups, which administrators decide.',
    },
  ],
  admin_claims_approve: [
    approveGroupClaim,
    {
      title: 'Approve an ownership request',
      idempotent: true,
      description:
        'Makes the requester an owner of the group. Check who they are first. Example: {"requestId":"…"}.',
    },
  ],
  admin_claims_reject: [
    rejectGroupClaim,
    {
      title: 'Reject an ownership request',
      idempotent: true,
      destructive: true,
      description: 'Rejects a request; the person gets an email. Example: {"requestId":"…"}.',
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
