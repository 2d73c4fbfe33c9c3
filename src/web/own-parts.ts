import { nowMs } from '@/core/clock'
import { isConnected, onGap, subscribe } from '@/outbox/bus'
import type { Slots } from './slots'
import { topicIndex, topicsOf } from './topics'

/** A personal part takes one or two kilobytes. */
const PARTS_MAX = 2000
const MAX_AGE_MS = 60_000

type Part = { slots: Slots; until: number }
type Pending = { topics: ReadonlySet<string>; overtaken: boolean }

const parts = new Map<string, Part>()
const index = topicIndex(PARTS_MAX * 20)
const loading = new Set<Pending>()

function clear() {
  parts.clear()
  index.clear()
  for (const pending of loading) pending.overtaken = true
}

subscribe((messages) => {
  for (const message of messages)
    for (const topic of topicsOf(message)) {
      for (const key of index.take(topic)) parts.delete(key)
      for (const pending of loading) if (pending.topics.has(topic)) pending.overtaken = true
    }
  if (index.isFull()) clear()
})
onGap(clear)

/**
 * The personal part of a page, cached until a message names the person or something on the page. The key includes their session,
 * whose token is in the forms.
 */
export function ownPart(
  key: string,
  topics: readonly string[],
  endsAt: number,
  load: () => Slots | Promise<Slots>,
): Slots | Promise<Slots> {
  const kept = parts.get(key)
  if (kept !== undefined && kept.until > nowMs()) return kept.slots
  const pending = { topics: new Set(topics), overtaken: !isConnected() }
  loading.add(pending)
  const keep = (slots: Slots) => {
    if (!pending.overtaken) {
      parts.delete(key)
      if (parts.size >= PARTS_MAX) parts.delete(parts.keys().next().value as string)
      parts.set(key, { slots, until: Math.min(nowMs() + MAX_AGE_MS, endsAt) })
      index.add(key, pending.topics)
    }
    return slots
  }
  return Promise.resolve(load())
    .then(keep)
    .finally(() => loading.delete(pending))
}
