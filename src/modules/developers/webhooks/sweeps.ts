import { ago, DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldMessages } from './deliveries/queries'
import { deletePastRules } from './fan-out/queries'

export const webhookSweeps = [
  sweep({ name: 'webhook messages', run: () => deleteOldMessages(db, ago(30 * DAY_MS)) }),
  sweep({ name: 'past webhook rules', run: () => deletePastRules(db) }),
]
