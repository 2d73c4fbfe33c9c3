import { toolbox } from '@/mcp/tool'
import { listGroups, readGroup } from './actions'
import { listManagedGroups, readManagedGroup, updateGroup } from './manage/actions'
import { addStaff, changeStaffRole, listStaff, removeStaff } from './staff/actions'

export const groupsTools = toolbox({
  groups_list: [
    listGroups,
    {
      title: 'Find groups',
      description:
        'Finds groups by name, tag or size, those with the most members first. Use it when somebody looks for a community. Example: {"search":"jazz"}.',
    },
  ],
  groups_get: [
    readGroup,
    {
      title: 'Read a group',
      description:
        'Reads a group by its `urlname` with what is on there next. Example: {"slug":"berlin-makers"}.',
    },
  ],
  manage_groups_list: [
    listManagedGroups,
    {
      title: 'List groups I run',
      description:
        'Lists the groups in which the person has a role, with the role. Begin here before any other manage_ tool: it gives the group ids.',
    },
  ],
  manage_groups_get: [
    readManagedGroup,
    {
      title: 'Read a group I run',
      description: 'Reads a group that the person helps to run, with its settings. Example: {"groupId":"…"}.',
    },
  ],
  manage_groups_update: [
    updateGroup,
    {
      title: 'Change a group',
      idempotent: true,
      destructive: true,
      description:
        'Changes the name, description or settings of a group; fields that you leave out stay. Everybody sees it at once. Example: {"groupId":"…","description":"…"}.',
    },
  ],
  manage_members_list: [
    listStaff,
    {
      title: 'List the staff of a group',
      description:
        'Lists who runs a group: owners, managers, volunteers, with the ids that the other manage_members_ tools take. Example: {"groupId":"…"}.',
    },
  ],
  manage_members_add: [
    addStaff,
    {
      title: 'Add somebody to the staff',
      idempotent: true,
      description:
        'Gives somebody a role in a group, by their user id. They can then do what the role allows, so ask first. Example: {"groupId":"…","userId":"…","role":"volunteer"}.',
    },
  ],
  manage_members_update: [
    changeStaffRole,
    {
      title: 'Change a role',
      idempotent: true,
      destructive: true,
      description:
        'Changes the role of somebody on the staff, by the id from manage_members_list. Example: {"groupId":"…","memberId":"…","role":"manager"}.',
    },
  ],
  manage_members_remove: [
    removeStaff,
    {
      title: 'Take a role away',
      idempotent: true,
      description:
        'Takes the role of somebody in a group away. Example: {"groupId":"…","memberId":"…","confirm":true}.',
      confirm: 'The person would lose their role in this group, and all that it allows.',
    },
  ],
})
