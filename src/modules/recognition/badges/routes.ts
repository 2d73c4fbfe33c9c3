import { Elysia } from 'elysia'
import { emojiAsset } from '@/http/emoji'
import { plain } from '@/http/plain'
import { serve } from '@/http/serve'
import { listBadges, listOwnBadges, readBadge, readUserGroupBadges } from './actions'
import { createGroupBadge, deleteGroupBadge, listGroupBadges, updateGroupBadge } from './manage/actions'
import { awardGroupBadge, revokeGroupBadge } from './manage/awards/actions'
import {
  createPlatformBadge,
  deletePlatformBadge,
  listPlatformBadges,
  updatePlatformBadge,
} from './platform/actions'
import { awardPlatformBadge, revokePlatformBadge } from './platform/awards/actions'

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

export const badgeRoutes = new Elysia()
  .use(catalogue)
  .use(people)
  .use(management)
  .use(administration)
  .use(pictures)
