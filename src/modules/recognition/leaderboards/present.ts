import type { Face } from '@/modules/recognition/badges/queries'
import type { Mover, Standing } from './queries'
import type { LeaderboardEntry, LeaderboardMover } from './schema'

/** Ranks are places: the order leaves no two people in the same one. */
export const presentEntry = (
  { username, name, avatarUrl, score, badgeCount }: Standing,
  rank: number,
  faces: Face[] = [],
): LeaderboardEntry => ({
  rank,
  username,
  name,
  avatarUrl,
  score,
  badgeCount,
  badges: faces.map(({ name, slug, icon, color }) => ({ name, slug, icon, color })),
})

export const presentMover = ({ id: _, ...mover }: Mover): LeaderboardMover => ({
  ...mover,
  rankChange: mover.previousRank === null ? null : mover.previousRank - mover.currentRank,
})
