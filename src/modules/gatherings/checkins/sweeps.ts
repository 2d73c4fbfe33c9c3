import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldGuests } from './guests/queries'

export const checkinSweeps = [
  sweep({
    name: 'guests without an account',
    keeps: { ms: 90 * DAY_MS, after: 'their event is over' },
    run: (before) => deleteOldGuests(db, before),
  }),
]
