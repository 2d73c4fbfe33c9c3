import { conflict } from '@/core/errors'
import { explain } from '@/db/conflicts'

/** The database constraint keeps the last administrator; this explains the error. */
export const explainLastAdministrator = explain({
  users_last_administrator: () =>
    conflict('Somebody has to be an administrator: make somebody else one first'),
})
