import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { config } from '@/config/config'
import type { EventData } from '@/core/domain-events'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { listedWithEnded, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { toolbox } from '@/mcp/tool'
import { listener } from '@/outbox/listener'
import { fullDay } from '@/web/when'
import { createToken, listTokens, revokeToken } from './actions'
import { findTokensAmong } from './queries'

/** New tokens in an account. Deleted ones are only counted. */
export const tokenMadeLetter = letter({
  name: 'token-made',
  kind: null,
  urgency: 'security',
  gathers: { waitMs: 0, everyMs: 10 * 60_000 },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const tokens = reader ? await findTokensAmong(db, reader.userId, items) : []
    if (reader === null || items.length === 0) return null
    const { subject, text, expires, never, ended, notYou, button } = words.accountMails.tokenMade
    const entries = tokens.map(({ name, prefix, scopes, expiresAt }) => ({
      text: words.newsMails.quoted(named(name)),
      about: [
        `${prefix}…`,
        scopes.join(' '),
        expiresAt ? expires(fullDay(expiresAt, reader.timeZone, words)) : never,
      ].join(' · '),
    }))
    return {
      subject,
      parts: [
        { say: text },
        ...listedWithEnded(entries, { ended: items.length - tokens.length, say: ended }, words),
        { say: notYou },
        { button, url: `${config.baseUrl}/settings/tokens` },
      ],
    }
  },
})

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
        'Revokes a personal access token at once, including for programs that use it, perhaps you. Example: {"id":"…","confirm":true}.',
      confirm: 'The token would be revoked at once, and programs that use it would stop working.',
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
