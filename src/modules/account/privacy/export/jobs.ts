import { rm } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { id } from '@/core/fields'
import { db } from '@/db/client'
import { job } from '@/jobs/job'
import { demandFreeSpace, explainStorage } from '@/modules/people/uploads/failures'
import { storage } from '@/outbound/storage/current'
import { guarded } from '@/outbound/storage/local/write'
import { StorageFull } from '@/outbound/storage/storage'
import { writeArchive } from './archive'
import { weighFiles } from './files-queries'
import { EXPORT_MS, exportName } from './lifetime'
import { findExport, finishExport } from './queries'
import { findPerson } from './rows-queries'

/** Space for the texts beside the files. */
const TEXTS = 16 * 1024 ** 2

/** Creates the ZIP. A crashed run leaves a scratch file at most; the next one starts over. */
export const exportJob = job({
  name: 'data-export',
  input: Type.Object({ exportId: id() }),
  result: Type.Object({}),
  run: async ({ exportId }, { progress }) => {
    const wanted = await findExport(db, exportId)
    const person = wanted?.userId ? await findPerson(db, wanted.userId) : undefined
    // The export ended meanwhile, or a run finished it and crashed before its job was recorded.
    if (!wanted || wanted.file !== null || !person || person.suspendedAt !== null) return {}
    const weight = await weighFiles(db, person.id)
    await demandFreeSpace(weight.bytes + TEXTS)
    const path = storage.scratch()
    try {
      const isWhole = wanted.grantId === null
      const size = await guarded(() => writeArchive(path, person, { isWhole, files: weight.files, progress }))
      failpoint('after-render')
      // The file is on disk by now: it must not have used the reserved space.
      await demandFreeSpace(1)
      await keep(exportId, path, size)
    } catch (error) {
      // A retry would find no more space, so it fails at once.
      if (error instanceof StorageFull) explainStorage(error)
      throw error
    } finally {
      await rm(path, { force: true })
    }
    return {}
  },
})

/** Stores the file under a new name, then updates the row. A late run deletes its own file. */
async function keep(exportId: string, path: string, size: number): Promise<void> {
  const file = crypto.randomUUID()
  await storage.adopt(exportName(file), path)
  failpoint('after-files')
  // On an error the update may have happened, so the object stays: the sweep deletes orphans.
  const expiresAt = new Date(nowMs() + EXPORT_MS)
  const isWanted = await finishExport(db, exportId, { file, size, expiresAt })
  if (isWanted) failpoint('after-ready')
  else await storage.remove(exportName(file))
}
