import { type BusMessage, isDomainEvent, showsOrHides } from '@/core/domain-events'

/** Most broadcasts change nothing that pages show; these do. */
const SHOWN: ReadonlySet<string> = new Set([
  'followers.counted',
  'badge.settled',
  'connection.changed',
  'achievements.changed',
] satisfies BusMessage['type'][])

/** What a page that lists people is about: somebody whom it does not show may appear. */
export const PEOPLE_SHOWN = 'people.shown'

/** What a message is about: its type, every id in it, and whether a person appears or disappears. */
export function topicsOf(message: BusMessage): string[] {
  if (!isDomainEvent(message) && !SHOWN.has(message.type)) return []
  const ids = Object.entries(message.data as Record<string, unknown>).flatMap(([name, value]) =>
    name.endsWith('Id') && typeof value === 'string' ? [value] : [],
  )
  return showsOrHides(message) ? [message.type, PEOPLE_SHOWN, ...ids] : [message.type, ...ids]
}

/** Finds what is kept by what it is about. */
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
    /** The keys of a topic, which are forgotten with it. */
    take(topic: string): Iterable<string> {
      const keys = keysAbout.get(topic) ?? []
      keysAbout.delete(topic)
      return keys
    },
    /** Keys that went for other reasons stay behind, so it is begun anew when it has grown. */
    isFull: () => keysAbout.size > max,
    clear: () => keysAbout.clear(),
  }
}
