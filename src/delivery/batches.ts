import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'

/**
 * Writes items in batches: those that come in while one batch is written go into the next one. A batch that cannot be
 * written is logged, and left to the leases of its rows.
 */
export function inBatches<Item>(
  fault: string,
  write: (items: Item[]) => Promise<unknown>,
): (item: Item) => Promise<void> {
  let items: Item[] = []
  let writing = Promise.resolve()

  async function writeNext() {
    const batch = items
    items = []
    await write(batch).catch((error) => log.warn(fault, reasonOf(error)))
  }

  return (item) => {
    items.push(item)
    if (items.length === 1) writing = writing.then(writeNext)
    return writing
  }
}
