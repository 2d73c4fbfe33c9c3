import type { AnyAction } from '@/core/action'
import { type Borrower, borrowing } from '@/db/pool/shares'
import { clientAddress } from './address'
import type { Visit } from './visit'

const NOTHING: readonly string[] = []

/** One share of the connections per person, across credentials, or per address of anonymous visitors. */
const callerOf = ({ visitor, request }: Visit) =>
  typeof visitor === 'object' ? `user ${visitor.userId}` : `address ${clientAddress(request)}`

/** Runs a request within its caller's share of the database connections. */
export const borrowFor = <T, A>(visit: Visit, work: (visit: Visit, rest: A) => T, rest: A): T =>
  borrowing.run(() => ({ caller: callerOf(visit), things: NOTHING }), work, visit, rest)

/** Also charges a change to the shares of the objects in its input: events, groups, badges, claim links. */
export function borrowForChange<T>(action: AnyAction, input: Record<string, unknown>, run: () => T): T {
  const things: string[] = []
  for (const name of namesIn(action)) {
    const named = input[name]
    if (typeof named === 'string') things.push(`thing ${named.toLowerCase()}`)
  }
  const asker = borrowing.getStore()
  return borrowing.run((): Borrower => ({ caller: asker?.().caller ?? null, things }), run)
}

const NAME = /^(id|code|token|slug|key|username)$|(Id|Slug)$/
const known = new WeakMap<AnyAction, readonly string[]>()

/** The input fields that name objects. */
export function namesIn(action: AnyAction): readonly string[] {
  let names = known.get(action)
  if (names === undefined) {
    names = Object.keys(action.input.properties).filter((field) => NAME.test(field))
    known.set(action, names)
  }
  return names
}
