import { ago, now } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteExpired } from './queries'
import { deleteOldRequests } from './requests/queries'

/** Longer than all attempts to ask the callback take. */
const REQUEST_MS = 60 * 60 * 1000

export const websubSweeps = [
  sweep({ name: 'feed subscriptions', run: () => deleteExpired(db, now()) }),
  sweep({ name: 'feed subscription requests', run: () => deleteOldRequests(db, ago(REQUEST_MS)) }),
]
