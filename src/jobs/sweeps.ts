import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldHeartbeats, deleteOldJobs } from './queries'

export const jobSweeps = [
  sweep({
    name: 'finished jobs',
    keeps: { ms: DAY_MS, after: 'it ended' },
    run: (before) => deleteOldJobs(db, before),
  }),
  sweep({
    name: 'heartbeats',
    keeps: { ms: DAY_MS, after: 'the last one' },
    run: (before) => deleteOldHeartbeats(db, before),
  }),
]
