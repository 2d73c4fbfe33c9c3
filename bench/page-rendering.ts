import { closeDatabase, connectDatabase } from '@/db/client'
import type { Entry } from '@/http/invoke'
import { eventCache } from '@/modules/gatherings/events/cache'
import { deliver, setConnected } from '@/outbox/bus'
import { showEvent } from '@/site/events/event/page'
import { showGroup } from '@/site/groups/group/page'
import { surroundings } from '@/site/surroundings'
import { documentOf } from '@/web/layout'
import type { LoadOpen } from '@/web/open-page'
import { useSurroundings } from '@/web/surroundings'
import { wordsIn } from '@/words/words'
import { NAMED } from './dataset'

/** Milliseconds of the processor for a page that is made anew. */
export type PageRendering = { page: string; cpuMs: number }

/** The system counts the time of a process in ticks of 4 ms, so many are made in a row. */
const ROUNDS = 200
const WARM_UP = 100

const stranger: Entry = { visitor: 'anonymous', id: 'bench', onSite: true, request: null, budget: null }

async function cost(load: LoadOpen, params: Record<string, string>, path: string) {
  const words = wordsIn('en')
  const make = async () => {
    deliver([{ type: 'event.updated', data: { eventId, groupId, fields: ['title'] } }])
    const page = await load(stranger, { params, words, path, query: new URLSearchParams() })
    return documentOf(page, words, path)
  }
  for (let i = 0; i < WARM_UP; i += 1) await make()
  const before = process.cpuUsage()
  for (let i = 0; i < ROUNDS; i += 1) await make()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / ROUNDS
}

connectDatabase(process.env.DATABASE_URL as string, {
  max: 4,
  statementTimeoutMs: 10_000,
  name: 'folkmoot-bench',
})
useSurroundings(surroundings)
// As in a server: whatever the change leaves true stays in the caches.
setConnected(true)
const eventId = process.argv[2] as string
const groupId = (await eventCache.get(eventId))?.group.id as string
const found: PageRendering[] = [
  { page: '/events/{id}', cpuMs: await cost(showEvent, { eventId }, `/events/${eventId}`) },
  {
    page: '/groups/{slug}',
    cpuMs: await cost(showGroup, { slug: NAMED.urlname }, `/groups/${NAMED.urlname}`),
  },
]
await closeDatabase()
process.stdout.write(JSON.stringify(found), () => process.exit(0))
