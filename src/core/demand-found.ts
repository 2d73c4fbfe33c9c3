import { notFound } from './errors'

/**
 * What was found, for somebody who may know of it; for everyone else it is the same 404 as nothing. A promise only
 * where it has to be asked who may.
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
