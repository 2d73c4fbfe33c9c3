import type { Caller } from '@/core/caller'
import { scopesOfRole } from '@/core/scopes'

/**
 * The credential of a command on the host: its user can read the key and the database, so it has admin rights. It is no person:
 * nothing can belong to it, and the audit log names no actor.
 */
export const OPERATOR: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  role: 'admin',
  scopes: scopesOfRole(true),
  credential: { kind: 'operator', id: 'operator' },
}
