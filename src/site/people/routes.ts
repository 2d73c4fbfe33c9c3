import { Elysia } from 'elysia'
import type { Visit } from '@/http/visit'
import { followUser, unfollowUser } from '@/modules/people/follows/actions'
import { PAGER_QUERY } from '@/site/parts/list'
import { deed, forms, type Sent } from '@/web/form'
import { wordsFor } from '@/web/language'
import { message } from '@/web/message'
import { openPage } from '@/web/open-page'
import type { Params } from '@/web/page'
import { showCircle } from './circle'
import { PEOPLE_QUERY, showPeople } from './list'
import { ownActs } from './profile/acts'
import { showProfile } from './profile/page'

const PERSON = '/u/:username'

const pathOf = ({ username }: Params) => `/u/${encodeURIComponent(username as string)}`

const follow = {
  fields: {},
  page: (visit: Visit, params: Params, { problem }: Sent) => {
    const { people } = wordsFor(visit)
    return message({
      title: people.notDone,
      text: problem.text,
      to: { href: pathOf(params), label: people.back },
    })
  },
  done: (_input: unknown, _result: unknown, _visit: Visit, params: Params) => pathOf(params),
}

const around = { query: PAGER_QUERY }

export const peoplePages = new Elysia()
  .get('/people', ...openPage(showPeople, { query: PEOPLE_QUERY }))
  .get(PERSON, ...openPage(showProfile, { personal: ownActs, keepsPersonal: true }))
  .post(PERSON, ...forms({ follow: deed(followUser, follow), unfollow: deed(unfollowUser, follow) }))
  .get(`${PERSON}/followers`, ...openPage(showCircle('followers'), around))
  .get(`${PERSON}/following`, ...openPage(showCircle('following'), around))
  .get(`${PERSON}/connections`, ...openPage(showCircle('connections'), around))
