import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { removeOrphanedUploads } from './remove/orphans'
import { deleteRefused, removeExpired } from './remove/queries'
import { finishRemovals } from './remove/removals'
import type { PicturePlace } from './uses/queries'

/** Senders who started in time may still be sending. */
const LATE_MS = 10 * 60_000

export const uploadSweeps = (places: PicturePlace[]) => [
  sweep({
    name: 'uploads that were not sent',
    keeps: { ms: LATE_MS, after: 'the time to send it' },
    run: (before) => removeExpired(db, before),
  }),
  sweep({
    name: 'refused uploads',
    keeps: { ms: DAY_MS, after: 'a file is refused' },
    run: (before) => deleteRefused(db, before),
  }),
  sweep({
    name: 'removed uploads',
    keeps: { ms: 0, after: 'its removal' },
    run: () => finishRemovals(places),
  }),
  sweep({ name: 'unchecked files of nobody', run: () => removeOrphanedUploads('incoming/') }),
]
