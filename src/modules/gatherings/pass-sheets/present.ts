import type { Caller } from '@/core/caller'
import { iso } from '@/core/shapes'
import { addressOf } from '@/http/downloads/address'
import { sheetFile } from './download'
import type { KnownSheet } from './queries'
import type { PassSheet } from './schema'

const STATUS = { queued: 'queued', running: 'rendering', done: 'failed', failed: 'failed' } as const

/** A sheet as this caller may have it: the address of the file is good while they are on the staff. */
export async function presentSheet(caller: Caller, { sheet, job }: KnownSheet): Promise<PassSheet> {
  const { id, kind, paper, pages, missing } = sheet
  const isReady = sheet.file !== null
  return {
    id,
    kind,
    paper,
    status: isReady ? 'ready' : STATUS[job?.status ?? 'failed'],
    progress: isReady ? 100 : percent(job),
    url: isReady ? (await addressOf(caller, sheetFile, { sheetId: id })).url : null,
    pages,
    missing,
    error: isReady ? null : (job?.error ?? null),
    createdAt: iso(sheet.createdAt),
    expiresAt: iso(sheet.expiresAt),
  }
}

/** Not all of it before the file is there. */
const percent = (job: KnownSheet['job']) =>
  job?.total ? Math.min(99, Math.floor((100 * job.done) / job.total)) : 0
