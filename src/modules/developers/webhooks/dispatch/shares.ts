/**
 * Requests under way for one person at once, over all of their webhooks. A process sends 256 at once, whatever they are
 * for (Bun's own bound): receivers that hang must not take them all.
 */
export const OWNER_AT_ONCE = 64

/** Counts what is under way for each person. */
export function keepShares() {
  const busy = new Map<string, number>()
  const busyOf = (ownerId: string) => busy.get(ownerId) ?? 0
  return {
    hasShare: (ownerId: string) => busyOf(ownerId) < OWNER_AT_ONCE,
    take: (ownerId: string) => void busy.set(ownerId, busyOf(ownerId) + 1),
    giveBack(ownerId: string) {
      const left = busyOf(ownerId) - 1
      if (left > 0) busy.set(ownerId, left)
      else busy.delete(ownerId)
    },
  }
}
