import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldMessages, deleteWordsToldOfTheGone } from './deliveries/queries'
import { deletePastRules } from './fan-out/queries'

export const webhookSweeps = [
  sweep({
    name: 'webhook messages',
    keeps: { ms: 30 * DAY_MS, after: 'the event' },
    run: (before) => deleteOldMessages(db, before),
  }),
  sweep({
    name: 'webhook messages about people who are gone',
    keeps: { ms: 0, after: 'it was delivered' },
    run: () => deleteWordsToldOfTheGone(db),
  }),
  sweep({
    name: 'past webhook rules',
    keeps: { ms: 0, after: 'the last event from before the change is passed on' },
    run: () => deletePastRules(db),
  }),
]
