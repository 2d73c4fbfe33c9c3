import { now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import {
  deleteEmptyFamilies,
  deleteExpiredAccessTokens,
  deleteExpiredRefreshTokens,
  deleteOldCodes,
} from './queries'

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes codes and tokens that have served their time, and the families that they leave empty. */
export async function sweepTokens(): Promise<void> {
  const yesterday = new Date(nowMs() - DAY_MS)
  await deleteExpiredAccessTokens(db, now())
  await deleteExpiredRefreshTokens(db, now())
  await deleteOldCodes(db, yesterday)
  await deleteEmptyFamilies(db, yesterday)
}
