import { failpoint } from '@/core/failpoint'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import type { Result } from '../deliveries/attempt'
import { recordResults } from './record-results'

/** Records results in batches: whatever comes in while one batch is written goes into the next one. */
export function recordInBatches(leaseOwner: string, onSwitchedOff: (webhookId: string) => void) {
  let results: Result[] = []
  let recording: Promise<void> | undefined

  async function record() {
    while (results.length > 0) {
      const batch = results
      results = []
      try {
        const off = await recordResults(leaseOwner, batch)
        failpoint('after-record')
        for (const id of off) onSwitchedOff(id)
      } catch (error) {
        // Their leases run out and they are sent again: at least once, and the receiver knows them by their ids.
        log.warn('webhooks: cannot write down what came of deliveries', reasonOf(error))
      }
    }
    recording = undefined
  }

  return {
    add(result: Result) {
      results.push(result)
      recording ??= record()
    },
    /** Until all that came in is recorded. */
    done: async () => recording,
  }
}
