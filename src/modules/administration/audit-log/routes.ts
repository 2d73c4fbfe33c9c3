import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { listAuditLog } from './actions'

export const auditLogRoutes = new Elysia({ prefix: '/v1/admin/audit-log', tags: ['Administration'] })
  .use(front)
  .get('', ...serve(listAuditLog))
