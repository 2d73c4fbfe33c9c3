import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldChanges } from './queries'

export const addressChangeSweeps = [
  sweep({
    name: 'address changes',
    keeps: { ms: 0, after: 'the old address could last undo it' },
    run: (before) => deleteOldChanges(db, before),
  }),
]
