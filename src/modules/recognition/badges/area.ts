import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { config } from '@/config/config'
import { DAY_MS } from '@/core/clock'
import type { EventData } from '@/core/domain-events'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { emojiAsset } from '@/http/emoji'
import { plain } from '@/http/protocol'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { listed, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { resource } from '@/mcp/resource'
import { listener } from '@/outbox/listener'
import { LOCALES } from '@/words/language'
import { listBadges, listOwnBadges, readBadge, readUserGroupBadges } from './actions'
import { countUnsettled } from './holders/queries'
import { settleAll } from './holders/settle'
import {
  awardGroupBadge,
  createGroupBadge,
  deleteGroupBadge,
  listGroupBadges,
  revokeGroupBadge,
  updateGroupBadge,
} from './manage/actions'
import {
  createPlatformBadge,
  deletePlatformBadge,
  listPlatformBadges,
  updatePlatformBadge,
} from './platform/actions'
import { awardPlatformBadge, revokePlatformBadge } from './platform/awards-actions'
import { findHeldAmong } from './queries'
import { badgesTools } from './tools'

/** Lists only badges still held when the mail is sent. */
const badgeEarnedLetter = letter({
  name: 'badge-earned',
  kind: 'badgeEarned',
  urgency: 'news',
  gathers: { waitMs: 15 * 60_000, everyMs: DAY_MS },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const held = reader ? await findHeldAmong(db, reader.userId, items) : []
    const [first] = held
    if (reader === null || first === undefined) return null
    const { one, several, title, text, about, button } = words.newsMails.badgeEarned
    const entries = held.map(({ badge, group }) => ({
      text: `${badge.icon} ${badge.name}`,
      about: about(
        words.recognition.points(badge.points, badge.points.toLocaleString(LOCALES[words.language])),
        group?.name ?? null,
      ),
      url: `${config.baseUrl}/badges/${badge.slug}`,
    }))
    return {
      subject: held.length === 1 ? one(named(first.badge.name)) : several(held.length),
      title,
      parts: [
        { say: text },
        ...listed(entries, words),
        ...(reader.username ? [{ button, url: `${config.baseUrl}/u/${reader.username}` }] : []),
      ],
    }
  },
})

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
    resumes: () => countUnsettled(db),
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
