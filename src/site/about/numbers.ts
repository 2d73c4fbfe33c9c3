import { now } from '@/core/clock'
import { db } from '@/db/client'
import { countListedGroups } from '@/modules/community/groups/queries'
import { countListedEvents } from '@/modules/gatherings/events/list/queries'
import { countPublicPeople } from '@/modules/people/users/queries'

/** How large the community is, as far as everyone may know. */
export async function numbersOf() {
  const events = (when: 'upcoming' | 'past') =>
    countListedEvents(db, { statuses: ['published'], when, at: now() })
  const [groups, upcoming, past, people] = await Promise.all([
    countListedGroups(db),
    events('upcoming'),
    events('past'),
    countPublicPeople(db),
  ])
  return { groups, upcoming, past, people }
}

export type Numbers = Awaited<ReturnType<typeof numbersOf>>
