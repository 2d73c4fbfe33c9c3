type Terms = {
  /** In flight at once for one owner. */
  ofOwner: number
  /** In flight at once for one key of an owner. */
  ofKey: (key: string) => number
}

/** Begun before the event loop turns, so that requests of the same process wait for no more. */
const BEGUN_A_TURN = 8

/** `waiting` is called with false where the work was dismissed. */
type Line = { inFlight: number; waiting: ((isTurn: boolean) => void)[] }
type Owner = Map<string, Line>

/**
 * Lets work begin within the shares of its owner and of its key: owners in turn, of one owner the key with the least in
 * flight, and in order for each key.
 */
export function keepTurns({ ofOwner, ofKey }: Terms) {
  const owners = new Map<string, Owner>()
  const ready = new Set<Owner>()
  let isTurning = false

  function lineOf(ownerId: string, key: string): Line {
    const owner = owners.get(ownerId) ?? new Map<string, Line>()
    const line = owner.get(key) ?? { inFlight: 0, waiting: [] }
    owners.set(ownerId, owner.set(key, line))
    ready.add(owner)
    if (!isTurning) setImmediate(turn)
    isTurning = true
    return line
  }

  function turn() {
    // An owner that is put back at the end comes again in the same turn if no other is there.
    for (const owner of ready.values().take(BEGUN_A_TURN)) {
      ready.delete(owner)
      if (beginOne(owner)) ready.add(owner)
    }
    isTurning = ready.size > 0
    if (isTurning) setImmediate(turn)
    else for (const [id, owner] of owners) if (owner.size === 0) owners.delete(id)
  }

  function beginOne(owner: Owner): boolean {
    let inFlight = 0
    let next: Line | undefined
    for (const [key, line] of owner) {
      inFlight += line.inFlight
      if (line.inFlight + line.waiting.length === 0) owner.delete(key)
      const isReady = line.waiting.length > 0 && line.inFlight < ofKey(key)
      if (isReady && (!next || line.inFlight < next.inFlight)) next = line
    }
    if (!next || inFlight >= ofOwner) return false
    next.inFlight += 1
    next.waiting.shift()?.(true)
    return true
  }

  return {
    enter: (ownerId: string, key: string) =>
      new Promise<boolean>((resolve) => lineOf(ownerId, key).waiting.push(resolve)),
    leave: (ownerId: string, key: string) => {
      lineOf(ownerId, key).inFlight -= 1
    },
    /** Sends away what waits for a key. */
    dismiss(ownerId: string, key: string) {
      for (const enter of lineOf(ownerId, key).waiting.splice(0)) enter(false)
    },
  }
}
