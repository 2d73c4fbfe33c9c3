import { toolbox } from '@/mcp/tool'
import { listBadges, listOwnBadges, readBadge } from './actions'
import { awardGroupBadge, createGroupBadge, listGroupBadges, revokeGroupBadge } from './manage/actions'
import { awardPlatformBadge } from './platform/awards-actions'

export const badgesTools = toolbox({
  profile_badges: [
    listOwnBadges,
    {
      title: 'List my badges',
      description: 'Lists the badges that the person earned, newest first, with points and rarity.',
    },
  ],
  badges_list: [
    listBadges,
    {
      title: 'List all badges',
      description: 'Lists the badges of the platform with purpose, points and rarity.',
    },
  ],
  badges_get: [
    readBadge,
    {
      title: 'Read a badge',
      description: 'Reads one badge by its slug. Example: {"slug":"early-bird"}.',
    },
  ],
  manage_badges_list: [
    listGroupBadges,
    {
      title: 'List badges of a group',
      description: `Lists a group's badges with their ids and how often each was awarded. Example: {"groupId":"…"}.`,
    },
  ],
  manage_badges_create: [
    createGroupBadge,
    {
      title: 'Create a badge',
      idempotent: true,
      description:
        'Creates a badge of a group. Points and number are limited per group. Example: {"groupId":"…","name":"Speaker","slug":"speaker","icon":"🎤","color":"#1f6f54","points":20}.',
    },
  ],
  manage_badges_award: [
    awardGroupBadge,
    {
      title: 'Award a badge',
      idempotent: true,
      description:
        'Awards a badge of a group to a person by user id (from manage_attendees_list); they are notified and get its points. Example: {"groupId":"…","badgeId":"…","userId":"…"}.',
    },
  ],
  manage_badges_revoke: [
    revokeGroupBadge,
    {
      title: 'Revoke a badge',
      idempotent: true,
      description:
        'Revokes a badge of a group, with its points. Example: {"groupId":"…","badgeId":"…","userId":"…","confirm":true}.',
      confirm: 'The person would lose this badge and its points.',
    },
  ],
  admin_badges_award: [
    awardPlatformBadge,
    {
      title: 'Award a badge of the platform',
      idempotent: true,
      description: 'Awards a badge of the platform to a person. Example: {"badgeId":"…","userId":"…"}.',
    },
  ],
})
