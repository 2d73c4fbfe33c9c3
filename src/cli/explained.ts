import { isAppError } from '@/core/errors'
import { reasonOf } from '@/core/reason'
import { sentenceFor } from '@/lifecycle/explain'
import { StorageDown, StorageFull } from '@/outbound/storage/storage'

/** A refusal in the words of the API, or what an operator can do; undefined for a fault of ours. */
export function explained(error: unknown): { error: string; code: string } | undefined {
  if (isAppError(error)) return { error: error.message, code: error.appCode }
  if (error instanceof StorageFull || error instanceof StorageDown) {
    const { reason } = reasonOf(error)
    return {
      error: `${error.message}${reason && reason !== error.message ? `: ${reason}` : ''}.`,
      code: 'unavailable',
    }
  }
  const sentence = sentenceFor(error)
  return sentence === undefined ? undefined : { error: sentence, code: 'unavailable' }
}
