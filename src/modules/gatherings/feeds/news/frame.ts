import { inTurns } from '@/core/in-turns'
import type { FeedEvent } from '../feed'
import { type Entry, entryOf, published } from './entry'

type Frame = {
  before: string
  entry: (entry: Entry) => string
  between: string
  after: string
}

/**
 * `feed` writes a feed at once, which takes some 30 ms for 1,000 events. So it writes the frame and the entries each for
 * themselves, and others have their turn in between.
 */
export async function framed(events: readonly FeedEvent[], frame: Frame): Promise<string> {
  const entries = await inTurns(events.toSorted(newestFirst), (event) => frame.entry(entryOf(event)))
  return frame.before + entries.join(frame.between) + frame.after
}

const newestFirst = (a: FeedEvent, b: FeedEvent) =>
  published(b).getTime() - published(a).getTime() || (a.id < b.id ? -1 : 1)

/** An empty feed never changed. Readers take 1970 for a mistake. */
const NEVER = Date.UTC(2000)

/** When a feed changed last: never the clock, or two readings of it would differ. */
export const lastChange = (events: readonly FeedEvent[]): Date =>
  new Date(events.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt.getTime()), NEVER))

export const GENERATOR = 'Folkmoot'
