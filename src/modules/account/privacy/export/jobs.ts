import { rm } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { id } from '@/core/fields'
import { db } from '@/db/client'
import { job } from '@/jobs/job'
import { explainStorage } from '@/modules/people/uploads/failures'
import { demandRoomInStorage } from '@/modules/people/uploads/room'
import { storage } from '@/outbound/storage/current'
import { guarded } from '@/outbound/storage/local/failures'
import { StorageFull } from '@/outbound/storage/storage'
import { writeArchive } from './archive'
import { weighFiles } from './files/queries'
import { EXPORT_MS } from './lifetime'
import { exportName } from './object'
import { findExport, finishExport } from './queries'
import { findPerson } from './rows/queries'

/** What the texts may take beside the files. */
const TEXTS = 16 * 1024 ** 2

/** Makes the ZIP of an export. A run that dies leaves a scratch file at most, and the next one begins anew. */
export const exportJob = job({
  name: 'data-export',
  input: Type.Object({ exportId: id() }),
  result: Type.Object({}),
  run: async ({ exportId }, { progress }) => {
    const wanted = await findExport(db, exportId)
    const person = wanted?.userId ? await findPerson(db, wanted.userId) : undefined
    // It has ended meanwhile, or a run finished it and died before it could say so.
    if (!wanted || wanted.file !== null || !person || person.suspendedAt !== null) return {}
    const weight = await weighFiles(db, person.id)
    await demandRoomInStorage(weight.bytes + TEXTS)
    const path = storage.scratch()
    try {
      const isWhole = wanted.grantId === null
      const size = await guarded(() => writeArchive(path, person, { isWhole, files: weight.files, progress }))
      failpoint('after-render')
      // What was written lies on the disk by now: nothing that others need may have gone for it.
      await demandRoomInStorage(1)
      await keep(exportId, path, size)
    } catch (error) {
      // Another run would find no more room, so whoever asked is told at once.
      if (error instanceof StorageFull) explainStorage(error)
      throw error
    } finally {
      await rm(path, { force: true })
    }
    return {}
  },
})

/** Stores the file under a name of its own, and then lets the row say so. Whoever comes too late takes theirs away again. */
async function keep(exportId: string, path: string, size: number): Promise<void> {
  const file = crypto.randomUUID()
  await storage.adopt(exportName(file), path)
  failpoint('after-files')
  // If this fails it may still be true, so the object stays: the sweep finds those of nobody.
  const expiresAt = new Date(nowMs() + EXPORT_MS)
  const isWanted = await finishExport(db, exportId, { file, size, expiresAt })
  if (isWanted) failpoint('after-ready')
  else await storage.remove(exportName(file))
}
