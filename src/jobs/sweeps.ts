import { ago, DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldHeartbeats, deleteOldJobs } from './queries'

export const jobSweeps = [
  sweep({ name: 'finished jobs', run: () => deleteOldJobs(db, ago(DAY_MS)) }),
  sweep({ name: 'heartbeats', run: () => deleteOldHeartbeats(db, ago(DAY_MS)) }),
]
