import type { CachedBody } from '@/http/encodings'

type Holder = { body: CachedBody | null }

/** A byte-limited LRU: drops the least recently used bodies. */
export function budget<H extends Holder>(bytesMax: number) {
  const held = new Map<H, number>()
  let total = 0
  let leaving: NodeJS.Immediate | undefined

  function release(holder: H) {
    total -= held.get(holder) ?? 0
    held.delete(holder)
  }

  function hold(holder: H) {
    if (holder.body === null) return
    release(holder)
    const size = holder.body.size()
    held.set(holder, size)
    total += size
    if (total > bytesMax && leaving === undefined) leaving = setImmediate(makeRoom, holder)
  }

  /** Runs after the current turn, so that pending responses keep their body. */
  function makeRoom(newest: H) {
    leaving = undefined
    for (const oldest of held.keys()) {
      if (total <= bytesMax || oldest === newest) break
      release(oldest)
      oldest.body = null
    }
  }

  return { hold }
}
