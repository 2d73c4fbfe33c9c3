import { unauthorized } from '@/core/errors'
import { lacks } from '@/db/conflicts'

const MAKERS = [
  'webhooks_made_by_token',
  'webhooks_made_by_grant',
  'oauth_clients_made_by_grant_oauth_grants_id_fk',
]

/** A credential that ended while it was making something makes nothing: the database refuses to refer to it. */
export function explainEnded(error: unknown): never {
  if (MAKERS.some((constraint) => lacks(error, constraint))) throw unauthorized(true)
  throw error
}
