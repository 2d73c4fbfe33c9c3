import { rm } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { failpoint } from '@/core/failpoint'
import { id } from '@/core/fields'
import { db } from '@/db/client'
import { job } from '@/jobs/job'
import { explainStorage } from '@/modules/people/uploads/failures'
import { demandFreeSpace } from '@/modules/people/uploads/free-space'
import { storage } from '@/outbound/storage/current'
import { StorageFull } from '@/outbound/storage/storage'
import { cellOfCode, cellsOfGuests } from './content/cells'
import { headingOf } from './content/heading'
import { sheetName } from './object'
import { findSheet, finishSheet } from './queries'
import { drawSheet } from './render/draw'
import type { Drawn } from './render/messages'

/** Renders the file of a sheet. A crashed run leaves a scratch file at most, and the retry starts over. */
export const sheetJob = job({
  name: 'pass-sheet',
  input: Type.Object({ sheetId: id() }),
  result: Type.Object({}),
  run: async ({ sheetId }, { progress }) => {
    const { sheet } = (await findSheet(db, sheetId)) ?? {}
    // The sheet has ended, or an earlier run stored the file and crashed before it finished.
    if (!sheet || sheet.eventId === null || sheet.file !== null) return {}
    await demandFreeSpace(1)
    const path = storage.scratch()
    try {
      const heading = await headingOf(sheet, sheet.eventId, path)
      const isPoster = sheet.kind === 'checkin-poster'
      const cells = isPoster ? cellOfCode(sheet.checkinCodeId) : cellsOfGuests(sheet.eventId)
      const drawn = await drawSheet(heading, cells, progress)
      failpoint('after-render')
      // The scratch file is on disk now: check that it left enough free space.
      await demandFreeSpace(1)
      await keep(sheetId, path, drawn)
    } catch (error) {
      // A retry would find no more space, so the requester gets the error at once.
      if (error instanceof StorageFull) explainStorage(error)
      throw error
    } finally {
      await rm(path, { force: true })
    }
    return {}
  },
})

/** Stores the file under a new name, then records it. A run that comes too late removes its own file. */
async function keep(sheetId: string, path: string, { size, pages, missing }: Drawn): Promise<void> {
  const file = crypto.randomUUID()
  await storage.adopt(sheetName(file), path)
  failpoint('after-files')
  // On an error the update may still have committed, so the object stays: the sweep removes orphans.
  const isWanted = await finishSheet(db, sheetId, { file, size, pages, missing })
  if (isWanted) failpoint('after-ready')
  else await storage.remove(sheetName(file))
}
