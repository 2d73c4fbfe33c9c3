import { demandSameSite } from '@/auth/csrf'
import type { AnyAction, ResultOf } from '@/core/action'
import { type Asking, type Caller, demand } from '@/core/caller'
import { type Precondition, precondition } from '@/db/transaction'
import { borrowForChange } from './borrower'
import { type Keyed, runOnce } from './idempotency'
import type { Verdict } from './limits/limiter'
import { countMisses, limitMisses } from './limits/misses'
import { takeRate } from './limits/rate'

/** Call context of an entry point: route, tool, page or command. `request` is null on the command line. */
export type Entry = Asking & { readonly request: Request | null; budget: Verdict | null }

type Input = Record<string, unknown>

type Terms = {
  /** Reads the idempotency key, if the entry point supports one. */
  keyOf?: (entry: Entry) => Keyed | undefined
  /** The caller's condition on the state before a change. */
  condition?: Precondition
}

const NO_TERMS: Terms = {}

/**
 * The only way from an entry point to an action: access, rate, input, the limit on guesses, the idempotency key, the action, and
 * the projection of the result. Input is read only after access is granted, so that its errors tell a stranger nothing. Returns a
 * promise only if a step is asynchronous.
 */
export function invoke<A extends AnyAction>(
  entry: Entry,
  action: A,
  read: () => Input | Promise<Input>,
  terms: Terms = NO_TERMS,
): ResultOf<A> | Promise<ResultOf<A>> {
  const caller = grantAccess(entry, action)
  const within = action.rate && takeRate(entry, action.rate)
  const input = within === undefined ? read() : within.then(read)
  return input instanceof Promise
    ? input.then((given) => perform(entry, action, caller, given, terms))
    : perform(entry, action, caller, input, terms)
}

/** CSRF: a request with a session cookie must also be same-site. */
function grantAccess(entry: Entry, { access, openOnSite }: AnyAction): Caller | null {
  const caller = demand(entry, access, openOnSite)
  if (caller?.credential.kind === 'session' && entry.request !== null) demandSameSite(entry.request)
  return caller
}

function perform<A extends AnyAction>(
  entry: Entry,
  action: A,
  caller: Caller | null,
  input: Input,
  { keyOf, condition }: Terms,
) {
  const keyed = caller && keyOf?.(entry)
  const once = keyed ? runOnce(keyed, caller, input) : undefined
  // Counts an unknown code, but never blocks a known one, unlike `limitMisses` below.
  if (action.countsMiss) return countMisses(entry, action.countsMiss(input), action.run(entry, input, once))
  // A plain read needs none of the wrappers below.
  if (action.reads && !action.failureLimit && !condition) return action.run(entry, input, once)
  const run = (): ResultOf<A> | Promise<ResultOf<A>> => action.run(entry, input, once)
  const demanding = condition ? () => precondition.run(condition, run) : run
  const act = action.reads ? demanding : () => borrowForChange(action, input, demanding)
  return action.failureLimit ? limitMisses(entry, act) : act()
}
