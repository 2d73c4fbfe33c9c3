import { achievementProgress, achievementValues } from '@/db/tables/achievements'
import { badgeAwards, groupScores } from '@/db/tables/badges'
import { boardSnapshots, scoreChanges } from '@/db/tables/boards'
import { SNAPSHOTS_MS } from '@/modules/recognition/leaderboards/snapshots/take'
import { holding, person } from './holding'

export const RECOGNITION = [
  holding({
    table: badgeAwards,
    of: { you: person(badgeAwards.userId) },
    why: 'to show what you were given',
    kept: 'account',
    erased: 'deleted',
    shown: ['id', 'badgeId', 'groupId', 'points', 'hidden', 'isPublic', 'source', 'awardedAt'],
    withheld: { userId: 'machinery' },
    things: { badgeId: 'badge', groupId: 'group' },
  }),
  holding({
    table: groupScores,
    of: { you: person(groupScores.userId) },
    why: 'to show where you stand in a group',
    kept: 'account',
    erased: 'deleted',
    shown: ['groupId', 'xp', 'badgeCount', 'reachedAt'],
    withheld: { userId: 'machinery' },
    things: { groupId: 'group' },
  }),
  holding({
    table: scoreChanges,
    of: { you: person(scoreChanges.userId) },
    why: 'to show who moved on the leaderboard',
    kept: { sweeps: ['score changes'] },
    erased: 'deleted',
    shown: ['id', 'at', 'change', 'xp', 'reachedBefore'],
    withheld: { userId: 'machinery' },
  }),
  holding({
    table: boardSnapshots,
    of: { you: person(boardSnapshots.userId) },
    why: 'to show who moved on the leaderboard',
    kept: { ms: SNAPSHOTS_MS, after: 'the day' },
    erased: 'deleted',
    shown: ['day', 'rank', 'xp'],
    withheld: { userId: 'machinery' },
  }),
  holding({
    table: achievementProgress,
    of: { you: person(achievementProgress.userId) },
    why: 'to show how far you have come',
    kept: 'account',
    erased: 'deleted',
    shown: ['achievementKey', 'currentValue', 'completedAt'],
    withheld: { userId: 'machinery' },
    things: { achievementKey: 'achievement' },
  }),
  holding({
    table: achievementValues,
    of: { you: person(achievementValues.userId) },
    why: 'to count each thing once on the way to an achievement',
    kept: 'account',
    erased: 'deleted',
    shown: ['achievementKey', 'value'],
    withheld: { userId: 'machinery' },
    things: { achievementKey: 'achievement' },
  }),
]
