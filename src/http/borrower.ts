import type { AnyAction } from '@/core/action'
import { type Borrower, borrowing } from '@/db/pool/shares'
import { clientAddress } from './address'
import type { Visit } from './visit'

const NOTHING: readonly string[] = []

/** A person has one share of the connections whatever the credential, and so has an address of visitors without an account. */
const callerOf = ({ visitor, request }: Visit) =>
  typeof visitor === 'object' ? `user ${visitor.userId}` : `address ${clientAddress(request)}`

/** Runs the work of a request within its caller's share of the database connections. */
export const borrowFor = <T, A>(visit: Visit, work: (visit: Visit, rest: A) => T, rest: A): T =>
  borrowing.run(() => ({ caller: callerOf(visit), things: NOTHING }), work, visit, rest)

/** Runs a change within the shares of the things that its input names as well: events, groups, badges, claim links. */
export function borrowForChange<T>(action: AnyAction, input: Record<string, unknown>, run: () => T): T {
  const things = namesIn(action).flatMap((name) => {
    const named = input[name]
    return typeof named === 'string' ? `thing ${named.toLowerCase()}` : NOTHING
  })
  const asker = borrowing.getStore()
  return borrowing.run((): Borrower => ({ caller: asker?.().caller ?? null, things }), run)
}

const NAME = /^(id|code|token|slug|key|username)$|(Id|Slug)$/
const known = new WeakMap<AnyAction, readonly string[]>()

/** The fields by which the input of an action names things. */
export function namesIn(action: AnyAction): readonly string[] {
  let names = known.get(action)
  if (names === undefined) {
    names = Object.keys(action.input.properties).filter((field) => NAME.test(field))
    known.set(action, names)
  }
  return names
}
