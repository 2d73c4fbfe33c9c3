import { type BusMessage, isDomainEvent, showsOrHides } from '@/core/domain-events'

/** The broadcasts that change pages. */
const SHOWN: ReadonlySet<string> = new Set([
  'followers.counted',
  'badge.settled',
  'connection.changed',
  'achievements.changed',
] satisfies BusMessage['type'][])

/** The topic of pages that list people: hidden people may appear. */
export const PEOPLE_SHOWN = 'people.shown'

/** The topics of a message: its type, every id in it, and whether a person's visibility changes. */
export function topicsOf(message: BusMessage): string[] {
  if (!isDomainEvent(message) && !SHOWN.has(message.type)) return []
  const ids = Object.entries(message.data as Record<string, unknown>).flatMap(([name, value]) =>
    name.endsWith('Id') && typeof value === 'string' ? [value] : [],
  )
  return showsOrHides(message) ? [message.type, PEOPLE_SHOWN, ...ids] : [message.type, ...ids]
}

/** An inverted index of cache keys by topic. */
export function topicIndex(max: number) {
  const keysAbout = new Map<string, Set<string>>()
  return {
    add(key: string, topics: Iterable<string>) {
      for (const topic of topics) {
        const keys = keysAbout.get(topic)
        if (keys === undefined) keysAbout.set(topic, new Set([key]))
        else keys.add(key)
      }
    },
    /** Removes and returns the keys of a topic. */
    take(topic: string): Iterable<string> {
      const keys = keysAbout.get(topic) ?? []
      keysAbout.delete(topic)
      return keys
    },
    /** Keys evicted for other reasons leave entries behind, so it is cleared when large. */
    isFull: () => keysAbout.size > max,
    clear: () => keysAbout.clear(),
  }
}
