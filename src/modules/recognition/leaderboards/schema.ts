import { type Static, Type } from '@sinclair/typebox'
import { oneOf, optional, whole } from '@/core/fields'
import { orNull, wireId } from '@/core/shapes'
import { slug } from '@/modules/community/groups/schema'

const textOrNull = () => orNull(Type.String())

export const LeaderboardEntry = Type.Object(
  {
    rank: Type.Number(),
    username: Type.String(),
    name: textOrNull(),
    avatarUrl: textOrNull(),
    score: Type.Number(),
    completedCount: Type.Optional(Type.Number({ description: 'Achievements; on the global board only.' })),
    badgeCount: Type.Optional(Type.Number()),
    badges: Type.Array(
      Type.Object({
        name: Type.String(),
        slug: Type.String(),
        icon: Type.String(),
        color: Type.String(),
      }),
    ),
  },
  { $id: 'LeaderboardEntry' },
)
export type LeaderboardEntry = Static<typeof LeaderboardEntry>

export const GlobalLeaderboard = Type.Object(
  {
    entries: Type.Array(LeaderboardEntry),
    total: Type.Number({ description: 'People on the board.' }),
    totalAchievements: Type.Number(),
  },
  { $id: 'GlobalLeaderboard' },
)
export type GlobalLeaderboard = Static<typeof GlobalLeaderboard>

export const GroupLeaderboard = Type.Object(
  {
    group: Type.Object({ id: wireId(), name: Type.String(), urlname: textOrNull(), photoUrl: textOrNull() }),
    entries: Type.Array(LeaderboardEntry),
    total: Type.Number({ description: 'People on the board.' }),
  },
  { $id: 'GroupLeaderboard' },
)
export type GroupLeaderboard = Static<typeof GroupLeaderboard>

const LeaderboardMover = Type.Object(
  {
    username: Type.String(),
    name: textOrNull(),
    avatarUrl: textOrNull(),
    currentXp: Type.Number(),
    xpGained: Type.Number(),
    currentRank: Type.Number(),
    previousRank: orNull(Type.Number({ description: 'Null without a score then.' })),
    rankChange: orNull(Type.Number({ description: 'Ranks gained; negative if lost.' })),
    badgesEarned: Type.Number(),
    isNewUser: Type.Boolean({ description: 'Whether they joined in the period.' }),
  },
  { $id: 'LeaderboardMover' },
)
export type LeaderboardMover = Static<typeof LeaderboardMover>

export const Period = oneOf(['week', 'month'], { description: 'The last 7 or the last 30 days.' })
export type Period = Static<typeof Period>

export const DAYS = { week: 7, month: 30 } satisfies Record<Period, number>

export const LeaderboardMovers = Type.Object(
  {
    period: Type.Object(
      {
        start: Type.String({ format: 'date-time', description: 'When the period began.' }),
        end: Type.String({ format: 'date-time', description: 'When the period ended.' }),
        label: Period,
      },
      { description: 'The compared period.' },
    ),
    movers: Type.Array(LeaderboardMover, { description: 'Most points gained first.' }),
    total: Type.Number({ description: 'People who gained points.' }),
    limit: Type.Number({ description: 'Maximum entries of this page.' }),
    offset: Type.Number({ description: 'Skipped entries.' }),
  },
  { $id: 'LeaderboardMovers' },
)
export type LeaderboardMovers = Static<typeof LeaderboardMovers>

/** Ranks are numbers, so boards use offsets instead of cursors. */
const pageOfBoard = {
  limit: whole(1, 100, { default: 20, description: 'Entries per page.' }),
  offset: whole(0, 2_000_000_000, { default: 0, description: 'Entries to skip.' }),
}

export const BoardInput = Type.Object(pageOfBoard)
export type BoardInput = Static<typeof BoardInput>

export const GroupBoardInput = Type.Object({ slug: slug(), ...pageOfBoard })

export const MoversInput = Type.Object({ period: optional(Period), ...pageOfBoard })
