import { now } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldChanges } from './queries'

export const addressChangeSweeps = [
  sweep({ name: 'address changes', run: () => deleteOldChanges(db, now()) }),
]
