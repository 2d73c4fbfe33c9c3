import type { Tx } from '@/db/client'

/** What happens for a person whose browser signs in, in the transaction of the sign-in. */
export type Arrival = (tx: Tx, userId: string, request: Request) => Promise<void>

let arrivals: readonly Arrival[] = []

/** Learns what areas above this one do for people who arrive. */
export const useArrivals = (all: readonly Arrival[]) => {
  arrivals = all
}

export async function arrive(tx: Tx, userId: string, request: Request): Promise<void> {
  for (const arrival of arrivals) await arrival(tx, userId, request)
}
