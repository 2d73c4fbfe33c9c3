import { Elysia } from 'elysia'
import type { EventData } from '@/core/domain-events'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { toolbox } from '@/mcp/tool'
import { listener } from '@/outbox/listener'
import { createToken, listTokens, revokeToken } from './actions'
import { tokenMadeLetter } from './letters'

const tokensTools = toolbox({
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

/** A session thief might create a token: mails its owner at once, several in one mail. */
const tokenMailListener = listener({
  name: 'token-mail',
  on: ['token.created'],
  react: (tx, { data }) => {
    const { tokenId, userId } = data as EventData<'token.created'>
    return gather(tx, tokenMadeLetter, userId, tokenId)
  },
})

const tokenRoutes = new Elysia({ prefix: '/v1/profile/tokens', tags: ['User'] })
  .get('', ...serve(listTokens))
  .post('', ...serve(createToken, { status: 201 }))
  .delete('/:id', ...serve(revokeToken))

export const tokensArea = {
  routes: tokenRoutes,
  tools: tokensTools,
  listeners: [tokenMailListener],
  letters: [tokenMadeLetter],
}
