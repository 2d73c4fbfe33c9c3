import type { Schedule } from './core/schedule'
import { databaseSchedules } from './db/jobs'
import type { Job } from './jobs/job'
import { digestSchedules } from './modules/account/digest/jobs'
import { exportJob } from './modules/account/privacy/export/jobs'
import { noticeSchedules } from './modules/gatherings/notices/jobs'
import { sheetJob } from './modules/gatherings/pass-sheets/jobs'
import { uploadSchedules } from './modules/people/uploads/jobs'
import { usesSchedules } from './modules/people/uploads/uses/jobs'
import { leaderboardSchedules } from './modules/recognition/leaderboards/jobs'
import { picturePlaces } from './pictures'

/** Every area's long work. */
export const jobs: Job[] = [sheetJob, exportJob]

/** Every area's repeating work. */
export const schedules: Schedule[] = [
  ...databaseSchedules,
  ...leaderboardSchedules,
  ...noticeSchedules,
  ...digestSchedules,
  ...uploadSchedules,
  ...usesSchedules(picturePlaces),
]
