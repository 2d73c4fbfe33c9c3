import { ago, DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { removeNobodys } from './remove/nobodys'
import { deleteRefused, removeExpired } from './remove/queries'
import { finishRemovals } from './remove/removals'

/** Whoever began to send in time may still be sending for a while. */
const LATE_MS = 10 * 60_000

export const uploadSweeps = [
  sweep({ name: 'uploads that were not sent', run: () => removeExpired(db, ago(LATE_MS)) }),
  sweep({ name: 'refused uploads', run: () => deleteRefused(db, ago(DAY_MS)) }),
  sweep({ name: 'removed uploads', run: finishRemovals }),
  sweep({ name: 'unchecked files of nobody', run: () => removeNobodys('incoming/') }),
]
