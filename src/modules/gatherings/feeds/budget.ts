import type { KeptBody } from '@/http/encodings'

type Holder = { body: KeptBody | null }

/** So many bytes of bodies are kept; the ones that were asked for least recently go first. */
export function budget<H extends Holder>(bytesMax: number) {
  const held = new Map<H, number>()
  let total = 0
  let leaving: NodeJS.Immediate | undefined

  function release(holder: H) {
    total -= held.get(holder) ?? 0
    held.delete(holder)
  }

  /** Keeps a body that has just been asked for, or has grown. */
  function hold(holder: H) {
    if (holder.body === null) return
    release(holder)
    const size = holder.body.size()
    held.set(holder, size)
    total += size
    if (total > bytesMax && leaving === undefined) leaving = setImmediate(makeRoom, holder)
  }

  /** Not at once: those who waited for a body have it in hand when they are answered. */
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
