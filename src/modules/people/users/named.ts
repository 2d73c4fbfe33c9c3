import { notFound } from '@/core/errors'
import { isId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { findPerson, type UserRow } from './queries'

/** Locks the user with that id or username. A username that was reassigned meanwhile is not found. */
export async function lockNamed(
  tx: Tx,
  named: string,
  lock: (tx: Tx, id: string) => Promise<UserRow | undefined>,
): Promise<UserRow> {
  const found = await findPerson(tx, named)
  const user = found && (await lock(tx, found.id))
  if (!user || !(isId(named) || user.username?.toLowerCase() === named.toLowerCase())) throw notFound('User')
  return user
}
