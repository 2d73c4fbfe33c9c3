import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { forbidden } from '@/core/errors'
import type { Tx } from '@/db/client'
import { consumeEntitlement } from '@/modules/community/entitlements/queries'

/** Each new group consumes one, if the operator requires it. */
const ENTITLEMENT = 'group.create'

/** Consumes the entitlement if one is required. */
export async function demandCreation(tx: Tx, { scopes, userId }: Caller) {
  if (config.groupCreation === 'open' || scopes.has('admin')) return
  if (config.groupCreation === 'admin') throw forbidden('Only administrators create groups here')
  if (!(await consumeEntitlement(tx, userId, ENTITLEMENT, now())))
    throw forbidden('Creating a group needs an entitlement, which an administrator can give')
}
