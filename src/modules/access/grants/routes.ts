import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { form } from '@/web/form'
import { page } from '@/web/page'
import type { Words } from '@/words/words'
import { listGrants, revokeGrant } from './actions'
import { showConnections } from './applications/endpoint'
import { PATH } from './applications/page'

const BACK = ({ access }: Words) => ({ href: PATH, label: access.applications.back })

const api = new Elysia({ prefix: '/v1/profile/grants', tags: ['User'] })
  .get('', ...serve(listGrants))
  .delete('/:grantId', ...serve(revokeGrant))

/** What has ended already, in another window, has ended. */
const endConnection = form(revokeGrant, {
  fields: { grantId: null },
  page: showConnections,
  done: ({ grantId }) => `${PATH}?ended=${encodeURIComponent(String(grantId))}`,
  soAlready: ['not_found'],
  back: BACK,
})

export const grantRoutes = new Elysia()
  .use(api)
  .get(PATH, ...page(showConnections, { back: BACK }))
  .post(PATH, ...endConnection)
