import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listAuditLog } from './actions'

const auditLogRoutes = new Elysia({ prefix: '/v1/admin/audit-log', tags: ['Administration'] }).get(
  '',
  ...serve(listAuditLog),
)

export const auditLogArea = {
  routes: auditLogRoutes,
}
