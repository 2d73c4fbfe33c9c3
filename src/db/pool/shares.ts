import { AsyncLocalStorage } from 'node:async_hooks'
import { type AppError, rateLimited, unavailableBy } from '@/core/errors'
import { patientTimeout } from '@/core/patience'

/** The caller, and the objects that a change names, whose row locks it may wait for. */
export type Borrower = { caller: string | null; things: readonly string[] }

/** The borrower of the current request; background work has none. */
export const borrowing = new AsyncLocalStorage<(() => Borrower) | undefined>()

type Place = { key: string; most: number; refuse: () => AppError }
type Waiter = { caller: string | null; places: Place[]; line: Set<Waiter>; enter: () => void }

type Terms = {
  /** Maximum connections per caller. */
  ofCaller: number
  /** Maximum connections for changes of one object. */
  ofThing: number
  /** Maximum waiters per caller or object. */
  waitingMax: number
  waitMs: number
  /** Whether the database does not answer, which is no fault of a caller. */
  isSilent: () => boolean
}

const NONE: Place[] = []

/**
 * Bounds the connections of one caller and one contended row. A request over its share waits here without a connection: thirty
 * that wait for one row lock would otherwise hold all of them. It takes all its places at once, before its connection, so that
 * requests cannot deadlock.
 */
export function shares({ ofCaller, ofThing, waitingMax, waitMs, isSilent }: Terms) {
  const held = new Map<string, number>()
  const lines = new Map<string, Set<Waiter>>()
  let refused = 0

  const refuse = (place: Place) => {
    refused += 1
    return place.refuse()
  }
  const isFull = ({ key, most }: Place) => (held.get(key) ?? 0) >= most

  function placesOf({ caller, things }: Borrower): Place[] {
    const callerBusy = () => (isSilent() ? unavailableBy('DATABASE_SILENT') : rateLimited(1))
    const places = things.map((key) => ({ key, most: ofThing, refuse: thingBusy }))
    return caller === null ? places : [{ key: caller, most: ofCaller, refuse: callerBusy }, ...places]
  }

  function lineOf(key: string): Set<Waiter> {
    const line = lines.get(key) ?? new Set()
    lines.set(key, line)
    return line
  }

  function take(places: Place[]): Place[] {
    for (const { key } of places) held.set(key, (held.get(key) ?? 0) + 1)
    return places
  }

  const isIdle = ({ caller }: Waiter) => caller === null || !held.has(caller)

  /**
   * Admits waiters of a key in order; one that lacks another place then waits for that. Callers without a connection go first:
   * one that sends thirty changes of an event at once would otherwise keep its guests waiting for all of them.
   */
  function admit(key: string) {
    const line = lines.get(key)
    if (line === undefined) return
    for (const waiter of [...[...line].filter(isIdle), ...line]) {
      if (!line.has(waiter)) continue
      const full = waiter.places.find(isFull)
      if (full?.key === key) break
      line.delete(waiter)
      if (full === undefined) waiter.enter()
      else waiter.line = lineOf(full.key).add(waiter)
    }
    if (line.size === 0) lines.delete(key)
  }

  return {
    /** Returns the places of a borrower, to pass to `leave`. */
    enter(borrower: Borrower | undefined): Place[] | Promise<Place[]> {
      const places = borrower === undefined ? NONE : placesOf(borrower)
      const full = places.find(isFull)
      if (full === undefined) return take(places)
      const line = lineOf(full.key)
      if (line.size >= waitingMax) throw refuse(full)
      return new Promise((resolve, reject) => {
        const enter = () => {
          timer.clear()
          resolve(take(places))
        }
        const waiter: Waiter = { caller: borrower?.caller ?? null, places, line, enter }
        line.add(waiter)
        const timer = patientTimeout(waitMs, () => {
          waiter.line.delete(waiter)
          reject(refuse(places.find(isFull) ?? full))
        })
      })
    },
    leave(places: Place[]): void {
      for (const { key } of places) {
        const left = (held.get(key) ?? 1) - 1
        if (left > 0) held.set(key, left)
        else held.delete(key)
      }
      for (const { key } of places) admit(key)
    },
    refused: () => refused,
    waiting: () => [...lines.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

const thingBusy = () => unavailableBy('SHARE_BUSY')
