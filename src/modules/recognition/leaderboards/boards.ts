import { DAY_MS, now } from '@/core/clock'
import type { BusMessage } from '@/core/domain-events'
import { AppError } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { completedCounts, countVisible } from '@/modules/recognition/achievements/queries'
import { type Face, facesOf, groupFacesOf } from '@/modules/recognition/badges/queries'
import { cache } from '@/outbox/cache'
import { coalesce } from './coalesce'
import { LIVE_MAX } from './movers/count'
import { changedMoreThan, findList, readListed } from './movers/queries'
import { type BoardRow, type Mover, readBoard, readGroupBoard, readMovers } from './queries'
import {
  DAYS,
  type GlobalLeaderboard,
  type GroupLeaderboard,
  type LeaderboardEntry,
  type LeaderboardMover,
  type LeaderboardMovers,
  type Period,
} from './schema'

type GlobalKey = [limit: number, offset: number]

/** The same for all readers: cached for a minute, or until a score, a person or an achievement changes. */
const globalPages = cache<GlobalLeaderboard>({
  max: 500,
  load: coalesce(async (key) => {
    const [limit, offset] = JSON.parse(key) as GlobalKey
    const { total, rows } = await readBoard(db, limit, offset)
    const ids = rows.map(({ id }) => id)
    const faces = await facesOf(db, ids)
    const completed = await completedCounts(db, ids)
    return {
      entries: rows.map((row, i) => ({
        ...presentEntry(row, offset + i + 1, faces.get(row.id)),
        completedCount: completed.get(row.id) ?? 0,
      })),
      total,
      totalAchievements: await countVisible(db),
    }
  }),
  drops: (message, drop) => {
    if (concernsPeople(message) || groupOf(message) === null || concernsAchievements(message)) drop.all()
  },
})

export const globalPage = (...key: GlobalKey) => globalPages.get(JSON.stringify(key))

type GroupKey = [groupId: string, limit: number, offset: number]

const groupPages = cache<GroupLeaderboard | null>({
  max: 500,
  load: coalesce(async (key) => {
    const [groupId, limit, offset] = JSON.parse(key) as GroupKey
    const found = await readGroupBoard(db, groupId, limit, offset)
    if (found === null) return null
    const { group, total, rows } = found
    const faces = await groupFacesOf(
      db,
      groupId,
      rows.map(({ id }) => id),
    )
    return {
      group,
      entries: rows.map((row, i) => presentEntry(row, offset + i + 1, faces.get(row.id))),
      total,
    }
  }),
  drops: (message, drop) => {
    const groupId = groupOf(message)
    if (concernsPeople(message)) drop.all()
    else if (groupId) drop.where((page) => page?.group.id === groupId)
  },
})

export const groupPage = (...key: GroupKey) => groupPages.get(JSON.stringify(key))

type MoversKey = [period: Period, limit: number, offset: number]

/** The period moves with the clock, hence the short maximum age. */
const moversPages = cache<LeaderboardMovers>({
  max: 500,
  maxAgeMs: 5000,
  load: coalesce(async (key) => {
    const [label, limit, offset] = JSON.parse(key) as MoversKey
    const { startsAt, endsAt, total, movers } = await findMovers(label, limit, offset)
    return {
      period: { start: iso(startsAt), end: iso(endsAt), label },
      movers: movers.map(presentMover),
      total,
      limit,
      offset,
    }
  }),
  drops: (message, drop) => {
    if (concernsPeople(message) || groupOf(message) === null) drop.all()
  },
})

/** The worker's list if there is one. Otherwise computed now, or 503 if too many scores changed and the list is not ready. */
async function findMovers(period: Period, limit: number, offset: number) {
  const list = await findList(db, period)
  if (list) return { ...list, movers: await readListed(db, list, limit, offset) }
  const endsAt = now()
  const startsAt = new Date(endsAt.getTime() - DAYS[period] * DAY_MS)
  if (await changedMoreThan(db, LIVE_MAX, startsAt))
    throw new AppError('unavailable', refusals.countingMovers, {
      'retry-after': '120',
    })
  return { startsAt, endsAt, ...(await readMovers(db, startsAt, limit, offset)) }
}

export const moversPage = (...key: MoversKey) => moversPages.get(JSON.stringify(key))

/** A changed, hidden or deleted user may be on any board. */
const concernsPeople = ({ type }: BusMessage) =>
  type === 'user.updated' || type === 'user.deleted' || type === 'user.suspended'

const concernsAchievements = ({ type }: BusMessage) =>
  type === 'achievement.unlocked' || type === 'achievements.changed'

const CHANGES_BOARDS =
  /^(badge\.(awarded|revoked|updated|deleted|settled)|score\.changed|group\.(updated|deleted))$/

/** The group whose board a message invalidates; null for the global board, undefined for none. */
const groupOf = ({ type, data }: BusMessage) =>
  CHANGES_BOARDS.test(type) && 'groupId' in data ? data.groupId : undefined

/** Ranks are unique: among equal scores the first to reach it comes first, then the username decides. */
const presentEntry = (
  { username, name, avatarUrl, score, badgeCount }: BoardRow,
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

const presentMover = ({ id: _, ...mover }: Mover): LeaderboardMover => ({
  ...mover,
  rankChange: mover.previousRank === null ? null : mover.previousRank - mover.currentRank,
})
