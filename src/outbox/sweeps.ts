import { ago, DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldEvents } from './queries'
import { deleteOldSequences } from './sequences'

export const outboxSweeps = [
  sweep({ name: 'domain events', run: () => deleteOldEvents(db, ago(7 * DAY_MS)) }),
  sweep({ name: 'sequences', run: () => deleteOldSequences(db, ago(DAY_MS)) }),
]
