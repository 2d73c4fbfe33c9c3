import { type Job, runNextJob } from '@/jobs/job'
import { startLooking } from './looking'

/** Runs jobs, one at a time. */
export const startJobs = (
  kinds: readonly Job[],
  { leaseMs }: { leaseMs?: number } = {},
): { stop(): Promise<void> } =>
  kinds.length === 0
    ? { stop: async () => {} }
    : startLooking({ name: 'jobs', wakesOn: 'job.queued', next: () => runNextJob(kinds, { leaseMs }) })
