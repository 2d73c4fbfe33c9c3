import { ago, DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from './client'
import { deleteOldKeys } from './idempotency'

export const databaseSweeps = [sweep({ name: 'idempotency keys', run: () => deleteOldKeys(db, ago(DAY_MS)) })]
