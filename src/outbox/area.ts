import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldEvents, deleteTextsOfDeletedUsers } from './queries'
import { deleteOldSequences } from './sequences'

export const outboxArea = {
  sweeps: [
    sweep({
      name: 'domain events',
      keeps: { ms: 7 * DAY_MS, after: 'it was passed on' },
      run: (before) => deleteOldEvents(db, before),
    }),
    sweep({
      name: 'domain events of people who are gone',
      keeps: { ms: 0, after: 'it was passed on' },
      run: () => deleteTextsOfDeletedUsers(db),
    }),
    sweep({
      name: 'sequences',
      keeps: { ms: DAY_MS, after: 'the last event' },
      run: (before) => deleteOldSequences(db, before),
    }),
  ],
}
