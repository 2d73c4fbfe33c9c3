import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { ago, DAY_MS, now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { log } from '@/core/log'
import { parser } from '@/core/parse'
import { reasonOf } from '@/core/reason'
import { db, type Tx } from '@/db/client'
import { isRefused, isTemporary, refusalOf } from '@/db/conflicts'
import { retriedThroughOutage } from '@/db/transaction'
import type { Lane } from '@/delivery/engine'
import { holding } from '@/delivery/holding'
import { StorageDown } from '@/outbound/storage/storage'
import { broadcast } from '@/outbox/broadcast'
import { claimJobs, demandQuotaForJob, insertJob, type JobRow, updateRun } from './queries'

export type Work = {
  jobId: string
  ownerId: string
  /** Reports progress to the owner. Throws if this run no longer holds the job. */
  progress(done: number, total?: number): Promise<void>
}

/** A kind of long work on request. If a worker dies, another starts the job again, so `run` may run twice. */
export type Job<I extends TObject = TObject, R extends TSchema = TSchema> = {
  name: string
  input: I
  result: R
  run(input: Static<I>, work: Work): Promise<Static<R>>
}

export const job = <I extends TObject, R extends TSchema>(definition: Job<I, R>): Job<I, R> => definition

/** Enqueues the work after the commit. */
export async function enqueue<I extends TObject>(
  tx: Tx,
  kind: Job<I>,
  ownerId: string,
  input: Static<I>,
): Promise<string> {
  await demandQuotaForJob(tx, ownerId)
  const id = newId()
  await insertJob(tx, { id, kind: kind.name, ownerId, input, nextAttemptAt: now(), createdAt: now() })
  broadcast(tx, { type: 'job.queued', data: {} })
  return id
}

const LEASE_MS = 30_000
const ATTEMPTS_MAX = 5
/** Higher, because a process may be killed for reasons of its own; low enough to stop a job that kills its process. */
const STARTS_MAX = 20
const BACK_OFF_MS = 1000
const OUTAGE_MS = 5000
const NO_LONGER_OURS = 'The job was taken up by another run, or is gone'

type Terms = { leaseMs?: number }

/** Runs jobs, one at a time. */
export function jobLane(kinds: readonly Job[], { leaseMs = LEASE_MS }: Terms = {}): Lane<JobRow> {
  const until = () => new Date(nowMs() + leaseMs)
  const names = kinds.map(({ name }) => name)
  return {
    name: 'jobs',
    wakesOn: ({ type }) => type === 'job.queued',
    atOnce: 1,
    claim: ({ limit }) => claimJobs(db, { kinds: names, at: now(), until: until(), limit }),
    async run(claimed) {
      const hold = async (change: Partial<Pick<JobRow, 'done' | 'total'>>) => {
        if (!(await updateRun(db, claimed, { ...change, nextAttemptAt: until() })))
          throw new Error(NO_LONGER_OURS)
      }
      try {
        const result = await holding({ everyMs: leaseMs / 3, renew: () => hold({}) }, () =>
          runClaimed(kinds.find(({ name }) => name === claimed.kind) as Job, claimed, hold),
        )
        const done = { status: 'done' as const, result, error: null, finishedAt: now() }
        await retriedThroughOutage(() => updateRun(db, claimed, done))
      } catch (error) {
        await fail(claimed, error)
      }
    },
  }
}

type Hold = (change: { done: number; total?: number }) => Promise<void>

function runClaimed(kind: Job, { id: jobId, ownerId, attempts, input }: JobRow, hold: Hold) {
  if (attempts > STARTS_MAX) throw new Error('The job was begun too often')
  return kind.run(parser(kind.input)(input), {
    jobId,
    ownerId,
    progress: (done, total) => hold({ done, ...(total !== undefined && { total }) }),
  })
}

/**
 * A refusal is the final result. Other errors are retried with exponential backoff; an outage of database or storage does not count
 * as an attempt until the job is a day old.
 */
async function fail(claimed: JobRow, error: unknown): Promise<void> {
  const isAway = isTemporary(error) || error instanceof StorageDown
  const isPatient = isAway && claimed.createdAt > ago(DAY_MS)
  const isFinal = isRefused(error) || (claimed.attempts >= ATTEMPTS_MAX && !isPatient)
  const waitMs = isPatient ? OUTAGE_MS : BACK_OFF_MS * 2 ** claimed.attempts
  const change = isFinal
    ? {
        status: 'failed' as const,
        error: (isRefused(error) && refusalOf(error)?.message) || 'It failed on our side',
        finishedAt: now(),
      }
    : {
        status: 'queued' as const,
        nextAttemptAt: new Date(nowMs() + waitMs),
        ...(isPatient && { attempts: claimed.attempts - 1 }),
      }
  const isOurs = await retriedThroughOutage(() => updateRun(db, claimed, change))
  if (isOurs)
    log.warn(isFinal ? 'job failed' : 'job will be tried again', {
      job: claimed.id,
      kind: claimed.kind,
      ...reasonOf(error),
    })
}
