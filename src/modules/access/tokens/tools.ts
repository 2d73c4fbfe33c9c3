import { toolbox } from '@/mcp/tool'
import { listTokens, revokeToken } from './actions'

export const tokensTools = toolbox({
  tokens_list: [
    listTokens,
    {
      title: 'List my tokens',
      description:
        'Lists the personal access tokens of the person: names, scopes, last use. Never the tokens themselves.',
    },
  ],
  tokens_revoke: [
    revokeToken,
    {
      title: 'Revoke a token',
      idempotent: true,
      description:
        'Ends a personal access token at once; whatever uses it stops, perhaps you. Example: {"id":"…","confirm":true}.',
      confirm: 'The token would end at once, with everything that uses it.',
    },
  ],
})
