import { toolbox } from '@/mcp/tool'
import { approveGroupClaim, listGroupClaims, rejectGroupClaim } from './administration/actions'

export const groupClaimsTools = toolbox({
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
