import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteEndedSessions, deleteExpiredTokens } from './queries'

export const credentialsArea = {
  sweeps: [
    sweep({
      name: 'sessions',
      keeps: { ms: 0, after: 'it ends' },
      run: (before) => deleteEndedSessions(db, before),
    }),
    sweep({
      name: 'personal access tokens',
      // Keeps an expired token visible to people who wonder why a program fails.
      keeps: { ms: 30 * DAY_MS, after: 'it expires' },
      run: (before) => deleteExpiredTokens(db, before),
    }),
  ],
}
