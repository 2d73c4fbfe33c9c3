import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteVersions } from './queries'

const UNREAD_DAYS = 30

export const feedSweeps = [
  sweep({
    name: 'versions of feeds',
    keeps: { ms: UNREAD_DAYS * DAY_MS, after: 'somebody last read it' },
    run: (before) => deleteVersions(db, before),
  }),
]
