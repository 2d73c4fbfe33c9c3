import { AppError, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { passCache } from './cache'
import { passIdOf } from './id'
import type { KnownPass } from './queries'

/** The pass, even if paused. */
export async function findPass(text: string): Promise<KnownPass> {
  const id = passIdOf(text)
  const known = id === undefined ? null : await passCache.get(id)
  if (known === null) throw notFound('Pass')
  return known
}

/** The same error for paused passes and suspended owners, so that suspensions stay secret. */
export const NOT_IN_USE = new AppError('gone', refusals.passNotInUse)

/** Blank tags are in use: they wait for an owner. */
const isInUse = ({ pass, owner }: KnownPass): boolean =>
  pass.isActive && (owner === null || owner.suspendedAt === null)

/** If cached. */
export function peekPassInUse(text: string): KnownPass | undefined {
  const known = passCache.peek(passIdOf(text) ?? '')
  return known && isInUse(known) ? known : undefined
}

export async function findPassInUse(text: string): Promise<KnownPass> {
  const known = await findPass(text)
  if (!isInUse(known)) throw NOT_IN_USE
  return known
}
