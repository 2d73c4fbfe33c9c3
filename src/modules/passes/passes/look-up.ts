import { notFound } from '@/core/errors'
import { countMiss } from '@/http/limits/misses'
import type { Visit } from '@/http/visit'
import { passCache } from './cache'
import { passIdOf } from './id'
import type { KnownPass } from './queries'

/**
 * Unknown ids count against the failure limit, but never block known ones: guests of an event share one address, and one who
 * guesses must not lock out the others.
 */
export function lookUpPass(visit: Visit, text: string): KnownPass | Promise<KnownPass> {
  const id = passIdOf(text)
  if (id === undefined) throw notFound('Pass')
  return passCache.peek(id) ?? demandPass(visit, id)
}

async function demandPass(visit: Visit, id: string): Promise<KnownPass> {
  const known = await passCache.get(id)
  if (known === null) throw await countMiss(visit, notFound('Pass'))
  return known
}
