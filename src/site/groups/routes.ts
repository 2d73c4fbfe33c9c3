import { Elysia } from 'elysia'
import type { Visit } from '@/http/visit'
import { addFavorite, removeFavorite } from '@/modules/community/favorites/actions'
import { acceptGroupInvite, claimGroup, readGroupInvite } from '@/modules/community/group-claims/actions'
import { PAGER_QUERY } from '@/site/parts/pager'
import { ask } from '@/web/ask'
import { deed, form, forms, type Sent } from '@/web/form'
import { wordsFor } from '@/web/language'
import { message } from '@/web/message'
import { openPage } from '@/web/open-page'
import { type Params, page } from '@/web/page'
import { showInvite } from './claim'
import { ownActs } from './group/acts'
import { showGroup } from './group/page'
import { GROUPS_QUERY, showGroups } from './list'
import { showMembers } from './members'

const GROUP = '/groups/:slug'
const INVITE = '/groups/claim/:token'

/** A refusal that no other answer on the page would mend. */
const refused = (visit: Visit, { slug }: Params, { problem }: Sent) => {
  const { groups } = wordsFor(visit)
  return message({
    title: groups.notDone,
    text: problem.text,
    to: { href: `/groups/${encodeURIComponent(slug as string)}`, label: groups.back },
  })
}

const toGroup = (_input: unknown, _result: unknown, _visit: Visit, { slug }: Params) =>
  `/groups/${encodeURIComponent(slug as string)}`

const favor = { fields: { groupSlug: null }, page: refused, done: toGroup }

export const groupsPages = new Elysia()
  .get('/groups', ...openPage(showGroups, { query: GROUPS_QUERY }))
  .get(INVITE, ...page((visit, params) => showInvite(visit, params)))
  .post(
    INVITE,
    ...form(acceptGroupInvite, {
      fields: {},
      page: showInvite,
      done: async (_input, _result, visit, params) => {
        const { group } = await ask(visit, readGroupInvite, params)
        return `/groups/${group.urlname}`
      },
    }),
  )
  .get(GROUP, ...openPage(showGroup, { personal: ownActs, keepsPersonal: true }))
  .post(
    GROUP,
    ...forms({
      join: deed(addFavorite, favor),
      leave: deed(removeFavorite, favor),
      claim: deed(claimGroup, {
        fields: ({ groups }) => ({ notes: groups.claimNotes }),
        page: refused,
        done: toGroup,
        soAlready: ['conflict'],
      }),
    }),
  )
  .get(`${GROUP}/members`, ...openPage(showMembers, { query: PAGER_QUERY }))
