import { conflict } from '@/core/errors'
import { explain } from '@/db/conflicts'

/** The database keeps an administrator; this explains its refusal to let the last one go. */
export const explainLastAdministrator = explain({
  users_last_administrator: () =>
    conflict('Somebody has to be an administrator: make somebody else one first'),
})
