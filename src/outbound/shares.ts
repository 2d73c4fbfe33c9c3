/** Counts running work per owner, so that none takes all capacity. */
export function keepShares(atOnce: number) {
  const busy = new Map<string, number>()
  const busyOf = (sharer: string) => busy.get(sharer) ?? 0
  return {
    busyOf,
    hasShare: (sharer: string) => busyOf(sharer) < atOnce,
    take: (sharer: string) => void busy.set(sharer, busyOf(sharer) + 1),
    giveBack(sharer: string) {
      const left = busyOf(sharer) - 1
      if (left > 0) busy.set(sharer, left)
      else busy.delete(sharer)
    },
    all: () => Object.fromEntries(busy),
  }
}
