import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { page } from '@/web/page'
import { listGrants, revokeGrant } from './actions'
import { endConnection, showConnections } from './applications/endpoint'
import { PATH } from './applications/page'

const BACK = { href: PATH, label: 'Back to your applications' }

const api = new Elysia({ prefix: '/v1/profile/grants', tags: ['User'] })
  .use(front)
  .get('', ...serve(listGrants))
  .delete('/:grantId', ...serve(revokeGrant))

export const grantRoutes = new Elysia()
  .use(front)
  .use(api)
  .get(PATH, ...page(showConnections, { back: BACK }))
  .post(PATH, ...page(endConnection, { back: BACK }))
