import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { askerOf, type Caller } from '@/core/caller'
import { ago, DAY_MS, now, nowMs } from '@/core/clock'
import { rateLimited } from '@/core/errors'
import { oneOf } from '@/core/fields'
import { newId } from '@/core/ids'
import { iso, orNull, wireTime } from '@/core/shapes'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { addressOf } from '@/http/downloads/address'
import { enqueue } from '@/jobs/job'
import { exportFile } from './download'
import { exportJob } from './jobs'
import { A_DAY, EXPORT_MS, FAILED_MS } from './lifetime'
import {
  type AskedBy,
  countLately,
  findLastExport,
  insertExport,
  type KnownExport,
  lockExportsOf,
} from './queries'

const fields = {
  status: oneOf(['queued', 'rendering', 'ready', 'failed'], { description: 'Status.' }),
  progress: Type.Number({ description: 'In percent.' }),
  url: orNull(
    Type.String({
      format: 'uri',
      description:
        'The ZIP file once it is ready. Needs no credential; valid for ten minutes, while the requesting credential is valid. Read again for a new address.',
    }),
  ),
  expiresAt: orNull(wireTime()),
}

const DataExport = Type.Object(fields, { $id: 'DataExport' })
type DataExport = Static<typeof DataExport>

const LastExport = Type.Object({
  last: orNull(
    Type.Object({
      ...fields,
      size: orNull(Type.Number()),
      createdAt: wireTime(),
      keptUntil: wireTime(),
    }),
  ),
})

const statusOf = ({ made, job }: KnownExport): DataExport['status'] =>
  made.file !== null ? 'ready' : STATUS[job?.status ?? 'failed']

const STATUS = { queued: 'queued', running: 'rendering', done: 'failed', failed: 'failed' } as const

/** The export for this caller: its download address ends with their credential. */
async function presentExport(caller: Caller, known: KnownExport): Promise<DataExport> {
  const isReady = known.made.file !== null
  const { kind, id: credential } = caller.credential
  const address = isReady
    ? await addressOf(caller, exportFile, { exportId: known.made.id, asker: kind, credential })
    : { url: null, expiresAt: null }
  return { status: statusOf(known), progress: isReady ? 100 : percent(known.job), ...address }
}

const presentLast = async (caller: Caller, known: KnownExport) => ({
  ...(await presentExport(caller, known)),
  size: known.made.size,
  createdAt: iso(known.made.createdAt),
  keptUntil: iso(known.made.expiresAt),
})

/** 100 only when the file exists. */
const percent = (job: KnownExport['job']) =>
  job?.total ? Math.min(99, Math.floor((100 * job.done) / job.total)) : 0

export const exportProfile = action({
  name: 'exportProfile',
  access: 'user',
  reads: true,
  summary: 'Export your personal data',
  description:
    'One ZIP file with your data as JSON, an HTML page and your files. The first call starts it, and a worker creates it: poll until it is `ready`. It is available for a day; a later call starts another. Quota: five a day. An application gets no sessions, tokens, registered applications, webhooks, feed addresses, linked accounts, emails or address changes; its own quota is two a day, and its export ends with your grant.',
  input: Type.Object({}),
  output: DataExport,
  errors: ['conflict'],
  run: async (caller) => presentExport(caller, await transaction((tx) => beginExport(tx, askerOf(caller)))),
})

/** For its page: viewing starts nothing. */
export const readLastExport = action({
  name: 'readLastExport',
  access: 'session',
  summary: 'Read the status of your export',
  input: Type.Object({}),
  output: LastExport,
  errors: [],
  run: async (caller) => {
    const found = await findLastExport(db, askerOf(caller))
    return { last: found ? await presentLast(caller, found) : null }
  },
})

/** The caller's last export, or a new one. */
async function beginExport(tx: Tx, { userId, grantId }: AskedBy): Promise<KnownExport> {
  await lockExportsOf(tx, userId)
  const last = await findLastExport(tx, { userId, grantId })
  if (last && !hasFailed(last)) return last
  const most = grantId === null ? A_DAY.person : A_DAY.application
  if ((await countLately(tx, { userId, grantId })) >= most) {
    if (last) return last
    throw rateLimited(DAY_MS / 1000)
  }
  const id = newId()
  const jobId = await enqueue(tx, exportJob, userId, { exportId: id })
  const expiresAt = new Date(nowMs() + EXPORT_MS)
  await insertExport(tx, { id, userId, grantId, jobId, createdAt: now(), expiresAt })
  return (await findLastExport(tx, { userId, grantId })) as KnownExport
}

/** A failure is reported for a while, so that a polling client does not start an export per second. */
const hasFailed = (known: KnownExport) =>
  statusOf(known) === 'failed' && known.made.createdAt < ago(FAILED_MS)
