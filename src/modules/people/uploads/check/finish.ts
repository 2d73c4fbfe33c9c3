import { rm } from 'node:fs/promises'
import { failpoint } from '@/core/failpoint'
import { certaintyOf } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { storage } from '@/outbound/storage/current'
import { broadcast } from '@/outbox/broadcast'
import { emit } from '@/outbox/emit'
import type { Finding } from '../content/content-types'
import { asSmaller, fileName, incomingName, objectsOf, smallerName } from '../key'
import { demandQuotaForMore, type UploadRow } from '../queries'
import { updateClaimed } from './queries'

type Good = Extract<Finding, { ok: true }>

/** Stores the generated files, then marks the row as ready. If another check has taken over the row, deletes its own files. */
export async function accept(upload: UploadRow, { main, sizes, width, height }: Good): Promise<void> {
  const file = crypto.randomUUID()
  const row = { file, sizes: sizes.map(asSmaller), incoming: null }
  try {
    for (const made of sizes) await storage.adopt(smallerName(file, asSmaller(made)), made.path)
    await storage.adopt(fileName(file), main.path)
    failpoint('after-files')
    const { size, sha256 } = main
    const isOurs = await transaction(async (tx) => {
      if (upload.ownerId === null) return false
      if (size > upload.declaredSize) await demandQuotaForMore(tx, upload.ownerId, size - upload.declaredSize)
      const done = { state: 'ready' as const, nextCheckAt: null, size, sha256, width, height, ...row }
      if (!(await updateClaimed(tx, upload, done))) return false
      const { ownerId: userId, key, category, contentType } = upload
      await emit(tx, 'upload.completed', { userId, key, category, contentType, size })
      return true
    })
    if (isOurs) {
      failpoint('after-ready')
      return await removeAll([incomingName(upload.incoming as string)])
    }
  } catch (error) {
    for (const { path } of [main, ...sizes]) await rm(path, { force: true })
    // With an unknown outcome the commit may have happened: keep the files; the sweep deletes orphans.
    if (certaintyOf(error) !== 'unknown') await removeAll(objectsOf(row))
    throw error
  }
  await removeAll(objectsOf(row))
}

/** Stores the reason for the owner and ends the wait of the uploading form. */
export async function refuse(upload: UploadRow, reason: string): Promise<void> {
  const isOurs = await transaction(async (tx) => {
    const refused = { state: 'refused' as const, reason, nextCheckAt: null, incoming: null }
    if (!(await updateClaimed(tx, upload, refused))) return false
    broadcast(tx, { type: 'upload.refused', data: { key: upload.key } })
    return true
  })
  if (isOurs && upload.incoming !== null) await removeAll([incomingName(upload.incoming)])
}

async function removeAll(names: string[]): Promise<void> {
  for (const name of names) await storage.remove(name)
}
