import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteChangesBefore } from './snapshots/queries'

export const leaderboardSweeps = [
  // Boards of the last month can be drawn again; nobody asks for older ones.
  sweep({
    name: 'score changes',
    keeps: { ms: 40 * DAY_MS, after: 'the change' },
    run: (before) => deleteChangesBefore(db, before),
  }),
]
