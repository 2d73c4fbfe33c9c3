import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { claimBadge, readClaim } from './actions'
import { createClaimLink, createPlatformClaimLink, deleteClaimLink, listClaimLinks } from './manage-actions'

const claimsTools = toolbox({
  claims_info: [
    readClaim,
    {
      title: 'Read a claim link',
      description:
        'Reads which badge a claim code awards and whether it can be claimed. Wrong codes count against the limit of the person. Example: {"code":"…"}.',
    },
  ],
  claims_claim: [
    claimBadge,
    {
      title: 'Claim a badge',
      idempotent: true,
      description:
        'Claims the badge of a code for the person. Use only a code that they gave you: wrong ones count against their limit. Example: {"code":"…"}.',
    },
  ],
  manage_claim_links_create: [
    createClaimLink,
    {
      title: 'Create a claim link',
      idempotent: false,
      description:
        'Creates a code for a badge of a group. Anyone with the code can claim it, so set a limit and an expiry. Example: {"groupId":"…","badgeId":"…","maxUses":30}.',
    },
  ],
})

const door = new Elysia({ prefix: '/v1/claim/:code', tags: ['Claims'] })
  .get('', ...serve(readClaim))
  .post('', ...serve(claimBadge, { status: 201 }))

const management = new Elysia({ prefix: '/v1/manage/groups/:groupId', tags: ['Management'] })
  .get('/badges/:badgeId/claim-links', ...serve(listClaimLinks))
  .post('/badges/:badgeId/claim-links', ...serve(createClaimLink, { status: 201 }))
  .delete('/claim-links/:linkId', ...serve(deleteClaimLink))

const administration = new Elysia({ prefix: '/v1/admin/badges/:badgeId', tags: ['Administration'] }).post(
  '/claim-links',
  ...serve(createPlatformClaimLink, { status: 201 }),
)

const claimRoutes = new Elysia().use(door).use(management).use(administration)

export const claimsArea = {
  routes: claimRoutes,
  tools: claimsTools,
}
