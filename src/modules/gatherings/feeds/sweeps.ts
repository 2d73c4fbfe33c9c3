import { ago, DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteVersions } from './queries'

const UNREAD_DAYS = 30

export const feedSweeps = [
  sweep({ name: 'versions of feeds', run: () => deleteVersions(db, ago(UNREAD_DAYS * DAY_MS)) }),
]
