import { schedule } from '@/core/schedule'
import { db } from './client'
import { compactTallies } from './tallies'

export const databaseSchedules = [
  schedule({ name: 'compact-tallies', everyMs: 60_000, run: () => compactTallies(db) }),
]
