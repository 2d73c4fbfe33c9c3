import { conflict } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { explain } from '@/db/conflicts'

/** The database constraint keeps the last administrator; this explains the error. */
export const explainLastAdministrator = explain({
  users_last_administrator: () => conflict(refusals.lastAdministrator),
})
