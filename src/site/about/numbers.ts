import { now } from '@/core/clock'
import { db } from '@/db/client'
import { countListedGroups } from '@/modules/community/groups/queries'
import { countListedEvents } from '@/modules/gatherings/events/list/queries'
import { countPublicPeople } from '@/modules/people/users/queries'

/** How large the community is, as far as everyone may know. */
export async function numbersOf() {
  const [groups, events, people] = await Promise.all([
    countListedGroups(db),
    countListedEvents(db, now()),
    countPublicPeople(db),
  ])
  return { groups, ...events, people }
}

export type Numbers = Awaited<ReturnType<typeof numbersOf>>
