import { ago, DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteFinishedMails, deleteKept, deleteOldRefusals } from './queries'

export const mailSweeps = [
  // As long as nobody is to be told of one thing twice.
  sweep({ name: 'finished mails', run: () => deleteFinishedMails(db, ago(30 * DAY_MS)) }),
  sweep({ name: 'refusing mailboxes', run: () => deleteOldRefusals(db, ago(30 * DAY_MS)) }),
  sweep({ name: 'kept mails', run: () => deleteKept(db, ago(DAY_MS)) }),
]
