import { SLICE } from '@/db/delete-in-slices'
import { transaction } from '@/db/transaction'
import { deleteOldStrangers, listOldStrangers, lockStrangerCounts, uncountStrangers } from './queries'

/** Deletes expired records of anonymous visitors in slices, and decrements the counters. */
export async function deleteExpiredStrangers(before: Date, size = SLICE): Promise<void> {
  while ((await deleteSlice(before, size)) === size);
}

const deleteSlice = (before: Date, size: number): Promise<number> =>
  transaction(async (tx) => {
    const old = await listOldStrangers(tx, before, size)
    await lockStrangerCounts(tx, passesOf(old))
    const gone = await deleteOldStrangers(
      tx,
      before,
      old.map(({ id }) => id),
    )
    await uncountStrangers(tx, passesOf(gone))
    return old.length
  })

const passesOf = (records: { passId: string | null }[]): string[] =>
  records.flatMap(({ passId }) => passId ?? [])
