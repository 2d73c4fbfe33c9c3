import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldItems } from './gathered/queries'
import { REMEMBERED_MS } from './post'
import { deleteFinishedMails, deleteKept, deleteOldRefusals } from './queries'

export const mailSweeps = [
  sweep({
    name: 'finished mails',
    keeps: { ms: REMEMBERED_MS, after: 'it was sent' },
    run: (before) => deleteFinishedMails(db, before),
  }),
  sweep({
    name: 'mail items',
    keeps: { ms: REMEMBERED_MS, after: 'it was to be told' },
    run: (before) => deleteOldItems(db, before),
  }),
  sweep({
    name: 'refusing mailboxes',
    keeps: { ms: 30 * DAY_MS, after: 'it last refused' },
    run: (before) => deleteOldRefusals(db, before),
  }),
  sweep({
    name: 'kept mails',
    keeps: { ms: DAY_MS, after: 'it was kept' },
    run: (before) => deleteKept(db, before),
  }),
]
