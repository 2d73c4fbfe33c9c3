import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { config } from '@/config/config'
import type { EventData } from '@/core/domain-events'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { queryOf, type Visit } from '@/http/visit'
import { gather } from '@/mail/gathered/gather'
import { listedWithEnded, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { listener } from '@/outbox/listener'
import { form, type Sent } from '@/web/form'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { page, signedIn } from '@/web/page'
import { settingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { listGrants, revokeGrant } from './actions'
import { connectionsOf } from './applications/list'
import { connectionsPage, PATH } from './applications/page'
import { isConnected } from './applications/queries'
import { findGrantsAmong } from './queries'

/** A grant may be extended several times. */
const grantItem = (grantId: string, eventId: string) => `${grantId} ${eventId}`
const grantIdOf = (item: string) => item.split(' ')[0] as string

/** Applications were connected or got more scopes. Their names are their developers' words; revoked ones are only counted. */
const appConnectedLetter = letter({
  name: 'app-connected',
  kind: null,
  urgency: 'security',
  gathers: { waitMs: 0, everyMs: 10 * 60_000 },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const ids = [...new Set(items.map(grantIdOf))]
    const grants = reader ? await findGrantsAmong(db, reader.userId, ids) : []
    if (ids.length === 0) return null
    const { subject, text, ended, notYou, button } = words.accountMails.appConnected
    const entries = grants.map(({ clientName, scopes }) => ({
      text: words.newsMails.quoted(named(clientName)),
      about: scopes.join(' '),
    }))
    return {
      subject,
      parts: [
        { say: text },
        ...listedWithEnded(entries, { ended: ids.length - grants.length, say: ended }, words),
        { say: notYou },
        { button, url: `${config.baseUrl}/settings/applications` },
      ],
    }
  },
})

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

async function showConnections(visit: Visit, _: object, sent?: Sent): Promise<Page> {
  const caller = signedIn(visit)
  const words = wordsFor(visit)
  const asked = new URLSearchParams(queryOf(visit.request.url))
  const cursor = asked.get('cursor') || undefined
  const ended = asked.get('ended') ?? ''
  const [page, hasEnded] = [
    await connectionsOf(visit, cursor),
    // Verified, because a link may claim anything.
    ID.test(ended) && !(await isConnected(db, caller.userId, ended)),
  ]
  return settingsPage(visit, 'applications', {
    body: connectionsPage(page, caller, words, { hasEnded, isFirst: cursor === undefined, sent }),
  })
}

/** Mails the person at once after they allowed an application. */
const grantMailListener = listener({
  name: 'grant-mail',
  on: ['grant.created'],
  react: (tx, { id, data }) => {
    const { grantId, userId } = data as EventData<'grant.created'>
    return gather(tx, appConnectedLetter, userId, grantItem(grantId, id))
  },
})

const BACK = ({ access }: Words) => ({ href: PATH, label: access.applications.back })

const api = new Elysia({ prefix: '/v1/profile/grants', tags: ['User'] })
  .get('', ...serve(listGrants))
  .delete('/:grantId', ...serve(revokeGrant))

/** Idempotent: it may have been revoked in another window. */
const endConnection = form(revokeGrant, {
  fields: { grantId: null },
  page: showConnections,
  done: ({ grantId }) => `${PATH}?ended=${encodeURIComponent(String(grantId))}`,
  ignoredErrors: ['not_found'],
  back: BACK,
})

const grantRoutes = new Elysia()
  .use(api)
  .get(PATH, ...page(showConnections, { back: BACK }))
  .post(PATH, ...endConnection)

export const grantsArea = {
  routes: grantRoutes,
  listeners: [grantMailListener],
  letters: [appConnectedLetter],
}
