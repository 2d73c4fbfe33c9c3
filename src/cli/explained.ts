import { type Certainty, isAppError } from '@/core/errors'
import { causes, reasonOf } from '@/core/reason'
import { sentenceFor } from '@/lifecycle/explain'
import { StorageDown, StorageFull } from '@/outbound/storage/storage'

type Said = { error: string; code: string }

const PASSING =
  /^(57P0\d|57014|55P03|40001|40P01|53200|25P0[34]|08...|CONNECTION_\w+|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|AWAY|TIMEOUT|POOL_BUSY|DATABASE_SILENT|COMMIT_SILENT)$/
const OF_FILES = /^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EISDIR|ELOOP|ENAMETOOLONG|ENOSPC|EDQUOT)$/

/** An API error or advice for the operator; undefined for a bug. */
export function explained(error: unknown): Said | undefined {
  // Drizzle wraps the pool's errors, with the statement in the message.
  const refusal = error instanceof Error ? causes(error).find(isAppError) : undefined
  if (refusal && refusal.appCode !== 'unavailable') return { error: refusal.message, code: refusal.appCode }
  if (error instanceof StorageFull || error instanceof StorageDown) {
    const { reason } = reasonOf(error)
    return unavailable(`${error.message}${reason && reason !== error.message ? `: ${reason}` : ''}.`)
  }
  const sentence = sentenceFor(refusal ?? error) ?? aboutFile(error) ?? aboutMoment(error, refusal?.certainty)
  return sentence === undefined ? refusal && unavailable(refusal.message) : unavailable(sentence)
}

const unavailable = (error: string): Said => ({ error, code: 'unavailable' })

function aboutFile(error: unknown): string | undefined {
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  if (!path || !syscall || !OF_FILES.test(code)) return undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? `There is no room for ${path} (${code}): free some space, or name a place on another disk.`
    : `${path} cannot be used (${code}): name a place that is there, and open to the user of this command.`
}

/** Transient errors. */
function aboutMoment(error: unknown, certainty?: Certainty): string | undefined {
  const { code = '', reason } = reasonOf(error)
  if (!PASSING.test(code)) return undefined
  return certainty === 'unknown'
    ? `It may or may not have been done (${code}): ${reason}. Look before you try again.`
    : `It was not done (${code}): ${reason}. Try again in a moment.`
}
