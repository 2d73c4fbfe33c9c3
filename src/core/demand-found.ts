import { notFound } from './errors'

/**
 * Returns the row if the caller may see it; otherwise the same 404 as for a missing row. Async only if the visibility check is.
 */
export const demandFound = <T>(
  found: T | null,
  mayKnow: boolean | Promise<boolean>,
  noun: string,
): T | Promise<T> =>
  mayKnow instanceof Promise ? mayKnow.then((yes) => given(found, yes, noun)) : given(found, mayKnow, noun)

function given<T>(found: T | null, mayKnow: boolean, noun: string): T {
  if (found === null || !mayKnow) throw notFound(noun)
  return found
}
