import { conflict } from '@/core/errors'
import { databaseError } from '@/db/conflicts'

/** The database keeps an administrator; this explains its refusal to let the last one go. */
export function explainLastAdministrator(error: unknown): never {
  const found = databaseError(error)
  const constraint = found?.constraint_name ?? found?.constraint
  if (found?.code === '23514' && constraint === 'users_last_administrator')
    throw conflict('Somebody has to be an administrator: make somebody else one first')
  throw error
}
