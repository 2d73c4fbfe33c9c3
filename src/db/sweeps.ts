import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from './client'
import { deleteOldKeys } from './idempotency'

export const databaseSweeps = [
  sweep({
    name: 'idempotency keys',
    keeps: { ms: DAY_MS, after: 'the request' },
    run: (before) => deleteOldKeys(db, before),
  }),
]
