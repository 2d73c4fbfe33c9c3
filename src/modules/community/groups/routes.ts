import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listGroupMembers, listGroups, readGroup, readPublicGroup } from './actions'
import { createGroup, deleteGroup, listManagedGroups, readManagedGroup, updateGroup } from './manage/actions'
import { addStaff, changeStaffRole, leaveStaff, listStaff, removeStaff } from './staff/actions'

const reading = new Elysia({ prefix: '/v1/groups', tags: ['Groups'] })
  .get('', ...serve(listGroups))
  .get('/:slug', ...serve(readGroup))
  .get('/:slug/members', ...serve(listGroupMembers))

const open = new Elysia({ prefix: '/v1/public/groups', tags: ['Public'] }).get(
  '/:slug',
  ...serve(readPublicGroup),
)

const management = new Elysia({ prefix: '/v1/manage/groups', tags: ['Management'] })
  .get('', ...serve(listManagedGroups))
  .post('', ...serve(createGroup, { status: 201 }))
  .get('/:groupId', ...serve(readManagedGroup))
  .patch('/:groupId', ...serve(updateGroup))
  .delete('/:groupId', ...serve(deleteGroup))
  .get('/:groupId/members', ...serve(listStaff))
  .post('/:groupId/members', ...serve(addStaff, { status: 201 }))
  .patch('/:groupId/members/:memberId', ...serve(changeStaffRole))
  .delete('/:groupId/members/:memberId', ...serve(removeStaff))
  .post('/:groupId/leave', ...serve(leaveStaff))

export const groupRoutes = new Elysia().use(reading).use(open).use(management)
