import { ago, DAY_MS, now } from '@/core/clock'
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
  sweep({ name: 'access tokens', run: () => deleteExpiredAccessTokens(db, now()) }),
  sweep({ name: 'refresh tokens', run: () => deleteExpiredRefreshTokens(db, now()) }),
  sweep({ name: 'authorization codes', run: () => deleteOldCodes(db, ago(DAY_MS)) }),
  // After what was in them.
  sweep({ name: 'token families', run: () => deleteEmptyFamilies(db, ago(DAY_MS)) }),
  sweep({ name: 'unused clients', run: removeUnusedClients }),
]
