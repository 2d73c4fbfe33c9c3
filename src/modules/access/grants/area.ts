import { Elysia } from 'elysia'
import type { EventData } from '@/core/domain-events'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { listener } from '@/outbox/listener'
import { form } from '@/web/form'
import { page } from '@/web/page'
import type { Words } from '@/words/words'
import { listGrants, revokeGrant } from './actions'
import { showConnections } from './applications/endpoint'
import { PATH } from './applications/page'
import { appConnectedLetter, grantItem } from './letters'

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
  soAlready: ['not_found'],
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
