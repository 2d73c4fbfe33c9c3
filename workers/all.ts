import { hostname } from 'node:os'
import { jobs as kinds, letters, listeners } from '@/areas'
import { now } from '@/core/clock'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { startLane } from '@/delivery/engine'
import { type Jobs, openJobs } from '@/jobs/backend'
import { jobLane } from '@/jobs/job'
import { recordHeartbeat } from '@/jobs/queries'
import { mailLanes } from '@/mail/mailer'
import { startDispatcher } from '@/modules/developers/webhooks/dispatch/dispatcher'
import { fanOut } from '@/modules/developers/webhooks/fan-out/fan-out'
import { tellSubscribers } from '@/modules/gatherings/feeds/websub/changes'
import { startHub } from '@/modules/gatherings/feeds/websub/dispatch/hub'
import { uploadLane } from '@/modules/people/uploads/check/check'
import { startOutboxRelay } from './outbox-relay'
import { startSchedules } from './schedules'
import { startResuming } from './sweeps'

const HEARTBEAT_MS = 10_000

/** Starts every worker in this process. The database is connected already. */
export function startWorkers(where: { redisUrl: string | null; databaseUrl: string }): {
  stop(): Promise<void>
} {
  const jobs: Jobs = openJobs(where)
  const dispatcher = startDispatcher()
  const hub = startHub()
  const mailers = mailLanes(letters).map(startLane)
  const relay = startOutboxRelay(jobs, listeners, async (tx, events) => {
    await fanOut(tx, events, now())
    await tellSubscribers(tx, events, now())
  })
  const schedules = startSchedules(jobs)
  const resuming = startResuming()
  const running = startLane(jobLane(kinds))
  const checks = startLane(uploadLane())
  const name = `${hostname()}-${process.pid}`
  const heartbeat = setInterval(() => recordHeartbeat(db, name, now()).catch(cannotRecord), HEARTBEAT_MS)
  return {
    async stop() {
      clearInterval(heartbeat)
      schedules.stop()
      await Promise.all([running.stop(), checks.stop(), resuming.stop()])
      await relay.stop()
      await Promise.all([dispatcher.stop(), hub.stop(), ...mailers.map((mailer) => mailer.stop())])
      await jobs.close()
    },
  }
}

const cannotRecord = (error: unknown) => warnSparingly('worker: cannot write its heartbeat', reasonOf(error))
