import { type AppError, badRequest, type Certainty, conflict, isAppError, unavailable } from '@/core/errors'
import { causes } from '@/core/reason'
import { refusals } from '@/core/refusals'

type DatabaseError = { code?: string; severity?: string; constraint_name?: string; constraint?: string }

/** Drizzle wraps the driver's error, which has the SQLSTATE. */
export function databaseError(error: unknown): DatabaseError | undefined {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth += 1
  )
    if (typeof (current as DatabaseError).code === 'string') return current as DatabaseError
  return undefined
}

export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(databaseError(error)?.code ?? '')

/** Maps a constraint violation by name: `.catch(explain({ badges_slug_key: () => conflict('…') }))`. */
export const explain =
  (refusals: Readonly<Record<string, () => AppError>>) =>
  (error: unknown): never => {
    const found = databaseError(error)
    throw refusals[found?.constraint_name ?? found?.constraint ?? '']?.() ?? error
  }

/** Maps database errors that no action has explained. */
export function refusalOf(error: unknown): AppError | undefined {
  const own = ownRefusal(error)
  if (own) return own
  const code = databaseError(error)?.code ?? ''
  if (code === '23505' || code === '23503') return conflict(refusals.alreadyExists)
  if (/^22(021|P02|P05|003|007|008|009)$/.test(code)) return badRequest(refusals.cannotStore)
  if (isUnreachable(error)) return unavailable()
  return undefined
}

const ownRefusal = (error: unknown): AppError | undefined =>
  error instanceof Error ? causes(error).find(isAppError) : undefined

/**
 * The state after a failed change. PostgreSQL rolls back what it reports as an error, and the pool knows whether a commit was
 * under way on a lost connection. Any other error, such as a bug, may come after the commit.
 */
export const certaintyOf = (error: unknown): Certainty =>
  ownRefusal(error)?.certainty ?? (databaseError(error)?.severity === 'ERROR' ? 'unavailable' : 'unknown')

/** Whether a rule refused it: a retry gets the same answer. */
export const isRefused = (error: unknown) => certaintyOf(error) === 'refused'

/** Whether a retry may succeed, if the work is idempotent: an outage, a lock or a timeout. */
export const isTemporary = (error: unknown) => refusalOf(error)?.status === 503 && !isRefused(error)

/** Whether the database was busy or unavailable. */
export const isOutage = (error: unknown) => ownRefusal(error)?.status === 503 && !isRefused(error)

export const isUnreachable = (error: unknown) => UNREACHABLE.test(databaseError(error)?.code ?? '')

const UNREACHABLE =
  /^(08...|53...|57P0.|57014|55P03|55000|25P03|25006|40001|40P01|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|CONNECTION_.*|CONNECT_TIMEOUT)$/
