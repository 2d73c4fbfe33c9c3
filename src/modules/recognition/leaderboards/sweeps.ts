import { DAY_MS } from '@/core/clock'
import { idAt } from '@/core/ids'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteUnfinished } from './movers/queries'
import { deleteChangesBefore, deleteDraftsBefore } from './snapshots/queries'

export const leaderboardSweeps = [
  // Boards of the last month can be drawn again; nobody asks for older ones.
  sweep({
    name: 'score changes',
    keeps: { ms: 40 * DAY_MS, after: 'the change' },
    run: (before) => deleteChangesBefore(db, before),
  }),
  sweep({
    name: 'unfinished boards',
    keeps: { ms: DAY_MS, after: 'the worker stopped' },
    run: async (before) => {
      await deleteDraftsBefore(db, idAt(before))
      await deleteUnfinished(db, before)
    },
  }),
]
