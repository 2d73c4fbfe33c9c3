import type { Protocol } from '../protocol'
import type { Traits } from '../route-traits'
import { describedWithin, type Json } from './schemas'
import { orOnPage, refused } from './shared'

/**
 * One verb of a protocol such as OAuth, whose shapes are not ours. The refusals of the way in are the same for all of
 * them.
 */
export const spokenOperation = (
  { name, security = [], responses, traits, rest: _, shownAs: __, ...rest }: Protocol & { traits: Traits },
  tags: string[],
): Json => {
  const all = Object.entries({
    400: refused('bad_request'),
    ...(rest.requestBody && { 413: refused('payload_too_large') }),
    ...(traits.isCounted && { 429: refused('rate_limited') }),
    500: refused('internal_error'),
    503: refused('unavailable'),
    ...responses,
  })
  return describedWithin({
    operationId: name,
    tags,
    security,
    ...rest,
    responses: traits.forPeople
      ? Object.fromEntries(all.map(([status, response]) => [status, orOnPage(response)]))
      : Object.fromEntries(all),
  }) as Json
}
