const held = new Map<string, Set<() => void>>()

/** Registers a connection with the server it leads to, so that it can be given up together with it. The answer takes it out again. */
export function hold(address: string, giveUp: () => void): () => void {
  const all = held.get(address) ?? new Set()
  held.set(address, all.add(giveUp))
  return () => void all.delete(giveUp)
}

/** Gives up all connections to a server; says how many there were. */
export function leave(address: string): number {
  const all = [...(held.get(address) ?? [])]
  for (const giveUp of all) giveUp()
  return all.length
}
