import type { Schedule } from './core/schedule'
import { databaseSchedules } from './db/jobs'
import { leaderboardSchedules } from './modules/recognition/leaderboards/jobs'

/** Every area's repeating work. */
export const schedules: Schedule[] = [...databaseSchedules, ...leaderboardSchedules]
