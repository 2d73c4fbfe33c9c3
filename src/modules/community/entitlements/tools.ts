import { toolbox } from '@/mcp/tool'
import { listEntitlements } from './actions'

export const entitlementsTools = toolbox({
  profile_entitlements: [
    listEntitlements,
    {
      title: 'List my entitlements',
      description: 'Lists what the person may do beyond others, such as creating groups, and until when.',
    },
  ],
})
