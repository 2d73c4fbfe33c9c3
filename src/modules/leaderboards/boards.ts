import { nowMs } from '@/core/clock'
import type { Notice } from '@/core/events'
import { iso } from '@/core/shapes'
import { cache } from '@/db/cache'
import { db } from '@/db/client'
import { completedCounts, countVisible } from '@/modules/achievements/queries'
import { facesOf, groupFacesOf } from '@/modules/badges/queries'
import { presentEntry, presentMover } from './present'
import { readBoard, readGroupBoard, readMovers } from './queries'
import type { GlobalLeaderboard, GroupLeaderboard, LeaderboardMovers, Period } from './schema'
import { inTurns } from './turns'

type GlobalKey = [limit: number, offset: number]

/** Boards are the same for everyone who may see them, so their pages are remembered until somebody moves. */
const globalPages = cache<GlobalLeaderboard>({
  max: 500,
  load: inTurns(async (key) => {
    const [limit, offset] = JSON.parse(key) as GlobalKey
    const { total, standings } = await readBoard(db, limit, offset)
    const ids = standings.map(({ id }) => id)
    const faces = await facesOf(db, ids)
    const completed = await completedCounts(db, ids)
    return {
      entries: standings.map((standing, i) => ({
        ...presentEntry(standing, offset + i + 1, faces.get(standing.id)),
        completedCount: completed.get(standing.id) ?? 0,
      })),
      total,
      totalAchievements: await countVisible(db),
    }
  }),
  drops: (fact, drop) => {
    if (concernsPeople(fact) || groupOf(fact) === null || concernsAchievements(fact)) drop.all()
  },
})

export const globalPage = (...key: GlobalKey) => globalPages.get(JSON.stringify(key))

type GroupKey = [groupId: string, limit: number, offset: number]

const groupPages = cache<GroupLeaderboard | null>({
  max: 500,
  load: inTurns(async (key) => {
    const [groupId, limit, offset] = JSON.parse(key) as GroupKey
    const found = await readGroupBoard(db, groupId, limit, offset)
    if (found === null) return null
    const { group, total, standings } = found
    const faces = await groupFacesOf(
      db,
      groupId,
      standings.map(({ id }) => id),
    )
    return {
      group,
      entries: standings.map((standing, i) => presentEntry(standing, offset + i + 1, faces.get(standing.id))),
      total,
    }
  }),
  drops: (fact, drop) => {
    const groupId = groupOf(fact)
    if (concernsPeople(fact)) drop.all()
    else if (groupId) drop.where((page) => page?.group.id === groupId)
  },
})

export const groupPage = (...key: GroupKey) => groupPages.get(JSON.stringify(key))

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = { week: 7, month: 30 }

type MoversKey = [period: Period, limit: number, offset: number]

/** The clock moves the period on and tells nobody, hence the short memory. */
const moversPages = cache<LeaderboardMovers>({
  max: 500,
  maxAgeMs: 5000,
  load: inTurns(async (key) => {
    const [label, limit, offset] = JSON.parse(key) as MoversKey
    const end = new Date(nowMs())
    const start = new Date(end.getTime() - DAYS[label] * DAY_MS)
    const { total, movers } = await readMovers(db, start, limit, offset)
    return {
      period: { start: iso(start), end: iso(end), label },
      movers: movers.map(presentMover),
      total,
      limit,
      offset,
    }
  }),
  drops: (fact, drop) => {
    if (concernsPeople(fact) || groupOf(fact) === null) drop.all()
  },
})

export const moversPage = (...key: MoversKey) => moversPages.get(JSON.stringify(key))

/** Whoever changes, hides or leaves may be on any board. */
const concernsPeople = ({ type }: Notice) =>
  type === 'user.updated' || type === 'user.deleted' || type === 'user.suspended'

const concernsAchievements = ({ type }: Notice) =>
  type === 'achievement.unlocked' || type === 'achievements.changed'

const OF_BADGES = /^(badge\.(awarded|revoked|updated|deleted)|score\.changed|group\.(updated|deleted))$/

/** The group whose board a fact changes; null stands for the platform. */
const groupOf = ({ type, data }: Notice) =>
  OF_BADGES.test(type) && 'groupId' in data ? data.groupId : undefined
