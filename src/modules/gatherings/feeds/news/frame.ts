import { Feed, type Item } from 'feed'
import { inTurns } from '@/core/in-turns'
import type { FeedEvent } from '../feed'
import { type Entry, entryOf, published } from './entry'

/** So many events take about half a millisecond. */
const AT_ONCE = 10

/** What stands before the entries of a written feed, the entries, and what stands after them. */
export type Cut = (written: string) => [before: string, entries: string, after: string]

type Frame = {
  feed: Feed
  item: (entry: Entry) => Item
  write: (feed: Feed) => string
  cut: Cut
  between: string
}

/**
 * `feed` writes a feed at once, which takes some 30 ms for 1,000 events. So it writes many small ones, between which others have
 * their turn, and the entries of all are put into the frame of one.
 */
export async function framed(events: readonly FeedEvent[], frame: Frame): Promise<string> {
  const { item, write, cut, between } = frame
  // There has to be an entry where entries are put; namespaces are declared for its sake, too.
  const [before, , after] = cut(write(holding(frame.feed, [STAND_IN])))
  const newest = events.toSorted(newestFirst)
  const few = Array.from({ length: Math.ceil(newest.length / AT_ONCE) }, (_, i) =>
    newest.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  )
  const bare = new Feed({ title: '', generator: false, updated: STAND_IN.date, link: STAND_IN.link })
  const written = await inTurns(
    few,
    (some) =>
      cut(
        write(
          holding(
            bare,
            some.map((event) => item(entryOf(event))),
          ),
        ),
      )[1],
  )
  return before + written.join(between) + after
}

const STAND_IN: Item = { title: '-', link: 'https://folkmoot.example/', date: new Date(0), content: '-' }

function holding(feed: Feed, items: Item[]): Feed {
  feed.items = items
  return feed
}

const newestFirst = (a: FeedEvent, b: FeedEvent) =>
  published(b).getTime() - published(a).getTime() || (a.id < b.id ? -1 : 1)

/** An empty feed never changed. Readers take 1970 for a mistake. */
const NEVER = Date.UTC(2000)

/** When a feed changed last: never the clock, or two readings of it would differ. */
export const lastChange = (events: readonly FeedEvent[]): Date =>
  new Date(events.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt.getTime()), NEVER))

export const GENERATOR = 'Folkmoot'
