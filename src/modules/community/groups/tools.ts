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
        'Finds groups by name, tag or size, most members first. Use it when the person looks for a community. Example: {"search":"jazz"}.',
    },
  ],
  groups_get: [
    readGroup,
    {
      title: 'Read a group',
      description: 'Reads a group by its `urlname` with its next events. Example: {"slug":"berlin-makers"}.',
    },
  ],
  manage_groups_list: [
    listManagedGroups,
    {
      title: 'List groups I run',
      description:
        'Lists the groups in which the person has a role, with the role. Call it before other manage_ tools: it returns the group ids.',
    },
  ],
  manage_groups_get: [
    readManagedGroup,
    {
      title: 'Read a group I run',
      description: 'Reads a group that the person manages, with its settings. Example: {"groupId":"…"}.',
    },
  ],
  manage_groups_update: [
    updateGroup,
    {
      title: 'Change a group',
      idempotent: true,
      destructive: true,
      description:
        'Changes the name, description or settings of a group; omitted fields stay. Everyone sees it at once. Example: {"groupId":"…","description":"…"}.',
    },
  ],
  manage_members_list: [
    listStaff,
    {
      title: 'List the staff of a group',
      description:
        'Lists the staff of a group: owners, managers and volunteers, with the ids for other manage_members_ tools. Example: {"groupId":"…"}.',
    },
  ],
  manage_members_add: [
    addStaff,
    {
      title: 'Add a staff member',
      idempotent: true,
      description:
        'Gives a person a role in a group by their user id, with its permissions, so ask first. Example: {"groupId":"…","userId":"…","role":"volunteer"}.',
    },
  ],
  manage_members_update: [
    changeStaffRole,
    {
      title: 'Change a role',
      idempotent: true,
      destructive: true,
      description:
        'Changes the role of a staff member by the id from manage_members_list. Example: {"groupId":"…","memberId":"…","role":"manager"}.',
    },
  ],
  manage_members_remove: [
    removeStaff,
    {
      title: 'Remove a staff member',
      idempotent: true,
      description:
        'Removes a person from the staff of a group. Example: {"groupId":"…","memberId":"…","confirm":true}.',
      confirm: 'The person would lose their role in this group, with its permissions.',
    },
  ],
})
