import { now } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteOldFailures, deleteOldSignInMails } from './mail/queries'
import { deleteOldLoginStates } from './providers/queries'

export const signInSweeps = [
  sweep({ name: 'sign-in mails', run: () => deleteOldSignInMails(db, now()) }),
  sweep({ name: 'sign-in failures', run: () => deleteOldFailures(db, now()) }),
  sweep({ name: 'login states', run: () => deleteOldLoginStates(db, now()) }),
]
