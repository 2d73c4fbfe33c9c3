import { type Tagged, tagged } from '@/http/respond'

/** A symbol has some kilobytes, so these are at most about ten megabytes. */
const MAX = 2000

const kept = new Map<string, Tagged>()

/** Bytes that never change, made once as long as there is room: what was asked for least recently makes it. */
export function keptBytes(key: string, make: () => string | Uint8Array): Tagged {
  const found = kept.get(key)
  const bytes = found ?? tagged(make())
  kept.delete(key)
  kept.set(key, bytes)
  if (kept.size > MAX) kept.delete(kept.keys().next().value as string)
  return bytes
}
