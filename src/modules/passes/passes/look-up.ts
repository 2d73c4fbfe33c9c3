import { notFound } from '@/core/errors'
import { limitMisses } from '@/http/limits/misses'
import type { Visit } from '@/http/visit'
import { passesKept } from './cache'
import { passIdOf } from './id'
import type { KnownPass } from './queries'

/**
 * The pass that an address names; 404 where there is none. Ids that could exist and do not are counted, so nobody has the
 * table read for guesses. A pass that is kept is answered whatever was guessed before: in a hall, which is one address,
 * one guest who guesses must not close the passes that the others tap.
 */
export function lookUpPass(visit: Visit, text: string): KnownPass | Promise<KnownPass> {
  const id = passIdOf(text)
  if (id === undefined) throw notFound('Pass')
  return passesKept.peek(id) ?? limitMisses(visit, () => demandPass(id))
}

async function demandPass(id: string): Promise<KnownPass> {
  const known = await passesKept.get(id)
  if (known === null) throw notFound('Pass')
  return known
}
