/** So many bytes a second, and so many at once after some silence: for one host, and for all of them. */
type Terms = { perSecond: number; atOnce: number }

/** What may be sent now. Less than nothing where more was sent than expected: it has to be made up for. */
export type Allowed = {
  all: number
  /** Of any host that `ofHosts` does not name. */
  ofHost: number
  ofHosts: Record<string, number>
}

/**
 * Bounds what is sent by bytes. Strangers choose which feeds we send where: one change must not become hundreds of
 * megabytes, neither for a host nor for this server.
 */
export function keepAllowance(terms: { all: Terms; ofHost: Terms }) {
  const all = new Spent(terms.all)
  const hosts = new Map<string, Spent>()
  return {
    left(): Allowed {
      for (const [host, spent] of hosts) if (spent.bytes() === 0) hosts.delete(host)
      return {
        all: all.left(),
        ofHost: terms.ofHost.atOnce,
        ofHosts: Object.fromEntries([...hosts].map(([host, spent]) => [host, spent.left()])),
      }
    },
    /** Sent, or less than nothing when less was sent than had been expected. */
    spend(host: string, bytes: number) {
      if (bytes === 0) return
      all.spend(bytes)
      const known = hosts.get(host) ?? new Spent(terms.ofHost)
      known.spend(bytes)
      hosts.set(host, known)
    },
  }
}

export type Allowance = ReturnType<typeof keepAllowance>

/** What was sent and is not made up for yet by the time that has passed. */
class Spent {
  #bytes = 0
  #at = performance.now()

  constructor(readonly terms: Terms) {}

  bytes(): number {
    const passedMs = performance.now() - this.#at
    return Math.max(0, this.#bytes - (passedMs / 1000) * this.terms.perSecond)
  }

  left = () => this.terms.atOnce - this.bytes()

  spend(bytes: number) {
    this.#bytes = Math.max(0, this.bytes() + bytes)
    this.#at = performance.now()
  }
}
