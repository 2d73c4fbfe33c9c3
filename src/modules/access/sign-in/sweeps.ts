import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldFailures, deleteOldSignInMails } from './mail/queries'
import { deleteOldLoginStates } from './providers/queries'

export const signInSweeps = [
  sweep({
    name: 'sign-in mails',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteOldSignInMails(db, before),
  }),
  sweep({
    name: 'sign-in failures',
    keeps: { ms: 0, after: 'its day ends' },
    run: (before) => deleteOldFailures(db, before),
  }),
  sweep({
    name: 'login states',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteOldLoginStates(db, before),
  }),
]
