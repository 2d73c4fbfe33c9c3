import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteExpired } from './queries'
import { deleteOldRequests } from './requests/queries'

/** Longer than all attempts to ask the callback take. */
const REQUEST_MS = 60 * 60 * 1000

export const websubSweeps = [
  sweep({
    name: 'feed subscriptions',
    keeps: { ms: 0, after: 'its lease ends' },
    run: (before) => deleteExpired(db, before),
  }),
  sweep({
    name: 'feed subscription requests',
    keeps: { ms: REQUEST_MS, after: 'it was made' },
    run: (before) => deleteOldRequests(db, before),
  }),
]
