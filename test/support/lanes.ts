import { type Lane, runDue, startLane } from '@/delivery/engine'
import { type Job, jobLane } from '@/jobs/job'
import { uploadLane } from '@/modules/people/uploads/check/check'

type Terms = { leaseMs?: number }

/** Works off what a lane claims at once. Says whether there was anything. */
const runNext = async <Row>(lane: Lane<Row>) => (await runDue(lane)).length > 0

export const startJobs = (kinds: readonly Job[], terms?: Terms) => startLane(jobLane(kinds, terms))
export const runNextJob = (kinds: readonly Job[], terms?: Terms) => runNext(jobLane(kinds, terms))

export const startUploadChecks = () => startLane(uploadLane())
export const checkNext = (terms?: Terms) => runNext(uploadLane(terms))
