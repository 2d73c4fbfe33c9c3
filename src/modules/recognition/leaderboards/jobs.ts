import { schedule } from '@/core/schedule'
import { countMovers } from './movers/count'
import { takeSnapshots } from './snapshots/take'

export const leaderboardSchedules = [
  // Once an hour is often enough: a board can be drawn as it was, however late.
  schedule({ name: 'leaderboard-snapshots', everyMs: 60 * 60_000, run: () => takeSnapshots() }),
  schedule({ name: 'movers', everyMs: 10 * 60_000, run: () => countMovers() }),
]
