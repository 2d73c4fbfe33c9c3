import { Elysia } from 'elysia'
import type { EventData } from '@/core/domain-events'
import { sweep } from '@/core/sweep'
import { emojiAsset } from '@/http/emoji'
import { plain } from '@/http/plain'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { resource } from '@/mcp/resource'
import { listener } from '@/outbox/listener'
import { listBadges, listOwnBadges, readBadge, readUserGroupBadges } from './actions'
import { settleAll } from './holders/settle'
import { badgeEarnedLetter } from './letters'
import { createGroupBadge, deleteGroupBadge, listGroupBadges, updateGroupBadge } from './manage/actions'
import { awardGroupBadge, revokeGroupBadge } from './manage/awards-actions'
import {
  createPlatformBadge,
  deletePlatformBadge,
  listPlatformBadges,
  updatePlatformBadge,
} from './platform/actions'
import { awardPlatformBadge, revokePlatformBadge } from './platform/awards-actions'
import { badgesTools } from './tools'

/** One mail per day at most, with all badges of that day. */
const badgeMailListener = listener({
  name: 'badge-mail',
  on: ['badge.awarded'],
  react: (tx, { data }) => {
    const { badgeId, userId } = data as EventData<'badge.awarded'>
    return gather(tx, badgeEarnedLetter, userId, badgeId)
  },
})

const badgeSweeps = [
  sweep({
    name: 'unsettled badges',
    keeps: { ms: 0, after: 'all awards follow' },
    resumes: true,
    run: () => settleAll(),
  }),
]

const catalogue = new Elysia({ prefix: '/v1/badges', tags: ['Badges'] })
  .get('', ...serve(listBadges))
  .get('/:slug', ...serve(readBadge))

const people = new Elysia({ prefix: '/v1', tags: ['User'] })
  .get('/profile/badges', ...serve(listOwnBadges))
  .get('/users/:username/group-badges', ...serve(readUserGroupBadges))

const management = new Elysia({ prefix: '/v1/manage/groups/:groupId/badges', tags: ['Management'] })
  .get('', ...serve(listGroupBadges))
  .post('', ...serve(createGroupBadge, { status: 201 }))
  .patch('/:badgeId', ...serve(updateGroupBadge))
  .delete('/:badgeId', ...serve(deleteGroupBadge))
  .post('/:badgeId/award/:userId', ...serve(awardGroupBadge, { status: 201 }))
  .delete('/:badgeId/award/:userId', ...serve(revokeGroupBadge))

const administration = new Elysia({ prefix: '/v1/admin/badges', tags: ['Administration'] })
  .get('', ...serve(listPlatformBadges))
  .post('', ...serve(createPlatformBadge, { status: 201 }))
  .patch('/:badgeId', ...serve(updatePlatformBadge))
  .delete('/:badgeId', ...serve(deletePlatformBadge))
  .post('/:badgeId/award/:userId', ...serve(awardPlatformBadge, { status: 201 }))
  .delete('/:badgeId/award/:userId', ...serve(revokePlatformBadge))

const pictures = new Elysia().get(
  '/assets/emoji/:file',
  ...plain((visit, { file = '' }) => emojiAsset(visit, file)),
)

const badgeRoutes = new Elysia().use(catalogue).use(people).use(management).use(administration).use(pictures)

export const badgesArea = {
  routes: badgeRoutes,
  tools: badgesTools,
  listeners: [badgeMailListener],
  letters: [badgeEarnedLetter],
  sweeps: badgeSweeps,
  resources: [
    resource(listBadges, 'folkmoot://badges', {
      name: 'badges',
      title: 'Badges',
      description: 'The badges of the platform.',
    }),
  ],
}
