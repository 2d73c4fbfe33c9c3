import { notFound } from '@/core/errors'
import { countMiss } from '@/http/limits/misses'
import type { Visit } from '@/http/visit'
import { passesKept } from './cache'
import { passIdOf } from './id'
import type { KnownPass } from './queries'

/**
 * The pass that an address names; 404 where there is none. Ids that could exist and do not are counted. One that exists is
 * found all the same: in a hall, which is one address, a guest who guesses must not close the passes that the others tap.
 */
export function lookUpPass(visit: Visit, text: string): KnownPass | Promise<KnownPass> {
  const id = passIdOf(text)
  if (id === undefined) throw notFound('Pass')
  return passesKept.peek(id) ?? demandPass(visit, id)
}

async function demandPass(visit: Visit, id: string): Promise<KnownPass> {
  const known = await passesKept.get(id)
  if (known === null) throw await countMiss(visit, notFound('Pass'))
  return known
}
