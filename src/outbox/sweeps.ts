import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldEvents } from './queries'
import { deleteOldSequences } from './sequences'

export const outboxSweeps = [
  sweep({
    name: 'domain events',
    keeps: { ms: 7 * DAY_MS, after: 'it was passed on' },
    run: (before) => deleteOldEvents(db, before),
  }),
  sweep({
    name: 'sequences',
    keeps: { ms: DAY_MS, after: 'the last event' },
    run: (before) => deleteOldSequences(db, before),
  }),
]
