import { config } from '@/config'
import type { Caller } from '@/core/caller'
import { forbidden } from '@/core/errors'

/** Who may found a group is the operator's choice. */
export function demandCreation({ scopes }: Caller) {
  if (config.groupCreation === 'open' || scopes.has('admin')) return
  throw forbidden(
    config.groupCreation === 'admin'
      ? 'Only administrators create groups here'
      : 'Creating a group needs an entitlement, which an administrator can give',
  )
}
