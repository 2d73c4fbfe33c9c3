import { takeSnapshots } from '@/modules/recognition/leaderboards/snapshots/take'

/** Once an hour is often enough: a board can be drawn as it was, however late. */
export const SNAPSHOTS = { name: 'leaderboard-snapshots', everyMs: 60 * 60_000, run: () => takeSnapshots() }
