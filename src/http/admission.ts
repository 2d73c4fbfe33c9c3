import { identify } from '@/auth/identify'
import type { Visitor } from '@/core/caller'
import { rateLimited } from '@/core/errors'
import { demandKnownHost } from './address'
import { charge, hourlyBudget } from './limits/hourly'
import { secondsLeft, type Verdict } from './limits/limiter'
import type { Traits } from './route-traits'
import type { Visit } from './visit'

/** Admits every request: host, identity, budget, in this order. Async only if needed: most identities are cached. */
export function admit(visit: Visit): undefined | Promise<void> {
  demandKnownHost(visit)
  if (!visit.traits.identifies) return visit.traits.showsBudget ? takeBudget(visit, 0) : undefined
  const visitor = identify(visit.request.headers)
  if (visitor instanceof Promise) return visitor.then((known) => receive(visit, known))
  return receive(visit, visitor)
}

function receive(visit: Visit, visitor: Visitor): undefined | Promise<void> {
  visit.visitor = isMisdirected(visitor, visit.traits) ? 'misdirected' : visitor
  if (!visit.traits.showsBudget) return undefined
  return takeBudget(visit, visit.traits.isCounted ? 1 : 0)
}

/** A token for one resource is invalid at another: the operator of the one could replay it at the other. */
const isMisdirected = (visitor: Visitor, { resource }: Traits): boolean =>
  typeof visitor === 'object' &&
  visitor.credential.kind === 'oauth' &&
  visitor.credential.resource !== null &&
  visitor.credential.resource !== resource

/** Charges the caller's hourly budget; cost 0 only reads it. */
export function takeBudget(visit: Visit, cost: number): undefined | Promise<void> {
  const verdict = charge(hourlyBudget(visit), cost)
  if (verdict instanceof Promise) return verdict.then((judged) => judge(visit, judged))
  judge(visit, verdict)
  return undefined
}

function judge(visit: Visit, verdict: Verdict) {
  visit.budget = verdict
  if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
}

/** For an error before the budget was read, as during a database outage: every API answer shows the budget. */
export function withBudget<T>(visit: Visit, answer: () => T | Promise<T>): T | Promise<T> {
  if (!visit.traits.showsBudget || visit.budget !== null) return answer()
  const verdict = charge(hourlyBudget(visit), 0)
  if (!(verdict instanceof Promise)) {
    visit.budget = verdict
    return answer()
  }
  return verdict.then((shown) => {
    visit.budget = shown
    return answer()
  })
}
