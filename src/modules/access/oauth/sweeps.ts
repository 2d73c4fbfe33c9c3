import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { removeUnusedClients } from './client-registration/unused'
import {
  deleteEmptyFamilies,
  deleteExpiredAccessTokens,
  deleteExpiredRefreshTokens,
  deleteOldCodes,
} from './queries'

export const oauthSweeps = [
  sweep({
    name: 'access tokens',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteExpiredAccessTokens(db, before),
  }),
  sweep({
    name: 'refresh tokens',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteExpiredRefreshTokens(db, before),
  }),
  sweep({
    name: 'authorization codes',
    keeps: { ms: DAY_MS, after: 'it expires' },
    run: (before) => deleteOldCodes(db, before),
  }),
  // After what was in them.
  sweep({
    name: 'token families',
    keeps: { ms: DAY_MS, after: 'it was made, once no token is left in it' },
    run: (before) => deleteEmptyFamilies(db, before),
  }),
  sweep({
    name: 'unused clients',
    keeps: { ms: 30 * DAY_MS, after: 'it was last used' },
    run: removeUnusedClients,
  }),
]
