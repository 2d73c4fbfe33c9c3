import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { listAuditLog } from './audit-log/actions'
import { changeGroupStanding, listAllGroups } from './groups/actions'
import { readJobs } from './jobs/actions'
import { changeUser, deleteUser, listAllUsers } from './users/actions'

export const adminRoutes = new Elysia({ prefix: '/v1/admin', tags: ['Administration'] })
  .use(front)
  .get('/users', ...serve(listAllUsers))
  .patch('/users/:userId', ...serve(changeUser))
  .delete('/users/:userId', ...serve(deleteUser))
  .get('/groups', ...serve(listAllGroups))
  .patch('/groups/:groupId', ...serve(changeGroupStanding))
  .get('/audit-log', ...serve(listAuditLog))
  .get('/jobs', ...serve(readJobs))
