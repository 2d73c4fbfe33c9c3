import { DAY_MS } from '@/core/clock'
import { schedule } from '@/core/schedule'
import { sweep } from '@/core/sweep'
import { db } from './client'
import { deleteOldKeys } from './idempotency'
import { lockLines } from './lock-waits'
import { compactTallies } from './tallies'

export const databaseArea = {
  sweeps: [
    sweep({
      name: 'idempotency keys',
      keeps: { ms: DAY_MS, after: 'the request' },
      run: (before) => deleteOldKeys(db, before),
    }),
  ],
  schedules: [schedule({ name: 'compact-tallies', everyMs: 60_000, run: () => compactTallies(db) })],
  metrics: [lockLines],
}
