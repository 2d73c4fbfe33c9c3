import { identify } from '@/auth/identify'
import type { Visitor } from '@/core/caller'
import { rateLimited } from '@/core/errors'
import { demandKnownHost } from './hosts'
import { charge, hourlyBudget } from './limits/hourly'
import { secondsLeft, type Verdict } from './limits/limiter'
import type { Traits } from './route-traits'
import type { Visit } from './visit'

/**
 * The way in of every request, in this order: host, identity, budget. A promise comes back only when something has to
 * be waited for: most requests are by people whose identity is cached.
 */
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

/** A token that was given for one resource is worth nothing at another: whoever runs the one could use it at the other. */
const isMisdirected = (visitor: Visitor, { resource }: Traits): boolean =>
  typeof visitor === 'object' &&
  visitor.credential.kind === 'oauth' &&
  visitor.credential.resource !== null &&
  visitor.credential.resource !== resource

/** Charges the caller's hour, or with cost 0 only looks at it. */
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

/** For a refusal that came before the budget was looked at, as while the database is away: every answer of the API shows one. */
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
