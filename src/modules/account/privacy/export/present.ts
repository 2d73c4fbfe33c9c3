import type { Caller } from '@/core/caller'
import { iso } from '@/core/shapes'
import { addressOf } from '@/http/downloads/address'
import { exportFile } from './download'
import type { KnownExport } from './queries'
import type { DataExport } from './schema'

export const statusOf = ({ made, job }: KnownExport): DataExport['status'] =>
  made.file !== null ? 'ready' : STATUS[job?.status ?? 'failed']

const STATUS = { queued: 'queued', running: 'rendering', done: 'failed', failed: 'failed' } as const

/** An export as this caller may have it: the address of the file is good as long as their credential. */
export async function presentExport(caller: Caller, known: KnownExport): Promise<DataExport> {
  const isReady = known.made.file !== null
  const { kind, id: credential } = caller.credential
  const address = isReady
    ? await addressOf(caller, exportFile, { exportId: known.made.id, asker: kind, credential })
    : { url: null, expiresAt: null }
  return { status: statusOf(known), progress: isReady ? 100 : percent(known.job), ...address }
}

export const presentLast = async (caller: Caller, known: KnownExport) => ({
  ...(await presentExport(caller, known)),
  size: known.made.size,
  createdAt: iso(known.made.createdAt),
  keptUntil: iso(known.made.expiresAt),
})

/** Not all of it before the file is there. */
const percent = (job: KnownExport['job']) =>
  job?.total ? Math.min(99, Math.floor((100 * job.done) / job.total)) : 0
