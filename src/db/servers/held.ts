const held = new Map<string, Set<() => void>>()

/** Registers a connection with its server, so that both are dropped together. Returns the deregistration. */
export function hold(address: string, giveUp: () => void): () => void {
  const all = held.get(address) ?? new Set()
  held.set(address, all.add(giveUp))
  return () => void all.delete(giveUp)
}

/** Drops all connections to a server; returns their number. */
export function leave(address: string): number {
  const all = [...(held.get(address) ?? [])]
  for (const giveUp of all) giveUp()
  return all.length
}
