import { Elysia } from 'elysia'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { resource } from '@/mcp/resource'
import { listGroupMembers, listGroups, readGroup, readPublicGroup } from './actions'
import { clearAll } from './end/end'
import { countEnded } from './end/queries'
import { createGroup, deleteGroup, listManagedGroups, readManagedGroup, updateGroup } from './manage/actions'
import { groupPictures } from './pictures'
import { GroupDetail } from './schema'
import { addStaff, changeStaffRole, leaveStaff, listStaff, removeStaff } from './staff/actions'
import { groupsTools } from './tools'

const groupSweeps = [
  sweep({
    name: 'deleted groups',
    keeps: { ms: 0, after: 'the group' },
    resumes: () => countEnded(db),
    run: () => clearAll(),
  }),
]

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

const groupRoutes = new Elysia().use(reading).use(open).use(management)

export const groupsArea = {
  routes: groupRoutes,
  tools: groupsTools,
  pictures: groupPictures,
  sweeps: groupSweeps,
  resources: [
    resource(listGroups, 'folkmoot://groups', {
      name: 'groups',
      title: 'Groups',
      description: 'The groups with the most members.',
    }),
    resource(readGroup, 'folkmoot://groups/{slug}', {
      name: 'group',
      title: 'A group',
      description: 'One group by its urlname.',
    }),
  ],
  shapes: [
    { name: 'group', title: 'Group', description: 'A group, as returned by name.', shape: GroupDetail },
  ],
}
