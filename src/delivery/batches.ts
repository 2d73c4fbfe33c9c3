import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'

/** The time of a statement may grow faster than its number of rows. */
const BATCH_MAX = 256

/**
 * Writes items in batches: those that come in while one batch is written go into the next one. A batch that cannot be
 * written is logged, and left to the leases of its rows.
 */
export function inBatches<Item>(
  fault: string,
  write: (items: Item[]) => Promise<unknown>,
): (item: Item) => Promise<void> {
  let open: Item[] = []
  let writing = Promise.resolve()

  async function writeNext(batch: Item[]) {
    if (open === batch) open = []
    await write(batch).catch((error) => log.warn(fault, reasonOf(error)))
  }

  return (item) => {
    if (open.length >= BATCH_MAX) open = []
    const batch = open
    if (batch.push(item) === 1) writing = writing.then(() => writeNext(batch))
    return writing
  }
}
