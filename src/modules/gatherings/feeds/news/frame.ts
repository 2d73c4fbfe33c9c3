import { inTurns } from '@/core/in-turns'
import type { FeedEvent } from '../feed'
import { type Entry, entryOf, published } from './entry'

type Frame = {
  before: string
  entry: (entry: Entry) => string
  between: string
  after: string
}

/** `feed` blocks for some 30 ms per 1,000 events. So it renders the frame and each entry separately, with yields in between. */
export async function framed(events: readonly FeedEvent[], frame: Frame): Promise<string> {
  const entries = await inTurns(events.toSorted(newestFirst), (event) => frame.entry(entryOf(event)))
  return frame.before + entries.join(frame.between) + frame.after
}

const newestFirst = (a: FeedEvent, b: FeedEvent) =>
  published(b).getTime() - published(a).getTime() || (a.id < b.id ? -1 : 1)

/** For empty feeds. Readers treat 1970 as an error. */
const NEVER = Date.UTC(2000)

/** Never the current time: identical feeds must have identical bytes. */
export const lastChange = (events: readonly FeedEvent[]): Date =>
  new Date(events.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt.getTime()), NEVER))

export const GENERATOR = 'Folkmoot'
