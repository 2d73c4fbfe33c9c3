import { now, nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { isRefused, isTemporary, refusalOf } from '@/db/conflicts'
import { retriedThroughOutage } from '@/db/transaction'
import type { Lane } from '@/delivery/engine'
import { holding } from '@/delivery/holding'
import { storage } from '@/outbound/storage/current'
import { StorageDown, StorageFull } from '@/outbound/storage/storage'
import { inspect } from '../content/inspect'
import { incomingName } from '../key'
import type { UploadRow } from '../queries'
import { accept, refuse } from './finish'
import { claimChecks, updateClaimed } from './queries'

const LEASE_MS = 20_000
const ATTEMPTS_MAX = 5
const BACK_OFF_MS = 1000
const STORAGE_AWAY_MS = 10_000
const DATABASE_AWAY_MS = 2000
const SERVED_MAX = 1000

/** Owners, least recently served first. */
const served = new Set<string>()

/** Checks uploaded files one at a time: decoding a picture takes most of a small machine. */
export function uploadLane({ leaseMs = LEASE_MS } = {}): Lane<UploadRow> {
  const until = () => new Date(nowMs() + leaseMs)
  return {
    name: 'uploads',
    wakesOn: ({ type }) => type === 'upload.received',
    atOnce: 1,
    claim: ({ limit }) => claimChecks(db, { at: now(), until: until(), limit, served: [...served] }),
    async run(upload) {
      failpoint('after-claim')
      remember(upload.ownerId)
      const renew = () => updateClaimed(db, upload, { nextCheckAt: until() })
      try {
        await holding({ everyMs: leaseMs / 4, renew }, async () => {
          const arrived = await hasArrived(upload)
          if (arrived) await check(arrived)
        })
      } catch (error) {
        await giveUpOrWait(upload, error)
      }
    },
  }
}

function remember(ownerId: string | null) {
  if (ownerId === null) return
  served.delete(ownerId)
  served.add(ownerId)
  if (served.size > SERVED_MAX) served.delete(served.values().next().value as string)
}

async function check(upload: UploadRow): Promise<void> {
  // A file that keeps crashing its process is refused after a few attempts.
  if (upload.attempts > ATTEMPTS_MAX) throw new Error('The check was begun too often')
  const name = incomingName(upload.incoming as string)
  const borrowed = await storage.borrow(name)
  if (!borrowed) return refuse(upload, 'The file was lost before it could be checked: send it again')
  try {
    const finding = await inspect(
      borrowed.path,
      { contentType: upload.contentType, size: upload.declaredSize },
      () => storage.scratch(),
    )
    failpoint('after-inspect')
    await (finding.ok ? accept(upload, finding) : refuse(upload, finding.reason))
  } finally {
    await borrowed.done()
  }
}

/** An outage of storage or database is not the file's fault: the attempt does not count. */
async function waitFor(upload: UploadRow, ms: number): Promise<void> {
  const change = { attempts: upload.attempts - 1, nextCheckAt: new Date(nowMs() + ms) }
  await retriedThroughOutage(() => updateClaimed(db, upload, change))
}

/** A refusal is final. Other errors are retried with exponential backoff; after the last attempt the file is refused. */
async function giveUpOrWait(upload: UploadRow, error: unknown): Promise<void> {
  log.warn('uploads: a check failed', { upload: upload.id, attempts: upload.attempts, ...reasonOf(error) })
  if (error instanceof StorageDown || error instanceof StorageFull) return waitFor(upload, STORAGE_AWAY_MS)
  if (isTemporary(error)) return waitFor(upload, DATABASE_AWAY_MS)
  if (isRefused(error)) return refuse(upload, refusalOf(error)?.message as string)
  if (upload.attempts >= ATTEMPTS_MAX && upload.state === 'received')
    return refuse(upload, 'The file could not be checked: send it again')
  await updateClaimed(db, upload, {
    nextCheckAt: new Date(nowMs() + BACK_OFF_MS * 2 ** Math.min(upload.attempts, 6)),
  })
}

const LATER_MS_MAX = 30_000

/**
 * A bucket does not announce direct uploads, so it is polled with growing intervals until the upload URL expires. Returns the row
 * once it is `received`.
 */
async function hasArrived(upload: UploadRow): Promise<UploadRow | undefined> {
  if (upload.state === 'received') return upload
  const found = upload.incoming && (await storage.find(incomingName(upload.incoming)))
  if (found) {
    const received = await updateClaimed(db, upload, { state: 'received' })
    return received ? { ...upload, state: 'received' } : undefined
  }
  const isOver = upload.expiresAt.getTime() <= nowMs()
  const laterMs = Math.min(LATER_MS_MAX, 1000 * 2 ** Math.floor(upload.attempts / 4))
  await updateClaimed(db, upload, { nextCheckAt: isOver ? null : new Date(nowMs() + laterMs) })
  return undefined
}
