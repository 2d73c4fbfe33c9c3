import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listAuditLog } from './actions'

export const auditLogRoutes = new Elysia({ prefix: '/v1/admin/audit-log', tags: ['Administration'] }).get(
  '',
  ...serve(listAuditLog),
)
