import { unauthorized } from '@/core/errors'
import { explain } from '@/db/conflicts'

const ended = () => unauthorized(true)

/** A foreign key refuses rows of a credential that ended in the same moment. */
export const explainEnded = explain({
  webhooks_made_by_token: ended,
  webhooks_made_by_grant: ended,
  uploads_made_by_token: ended,
  uploads_made_by_grant: ended,
  uploads_made_by_session: ended,
  oauth_clients_made_by_grant_oauth_grants_id_fk: ended,
  feed_tokens_user_id_users_id_fk: ended,
  passes_owner_id_users_id_fk: ended,
  address_changes_session: ended,
})
