import { rm } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { failpoint } from '@/core/failpoint'
import { id } from '@/core/fields'
import { db } from '@/db/client'
import { job } from '@/jobs/job'
import { explainStorage } from '@/modules/people/uploads/failures'
import { demandRoomInStorage } from '@/modules/people/uploads/room'
import { storage } from '@/outbound/storage/current'
import { StorageFull } from '@/outbound/storage/storage'
import { cellOfCode, cellsOfGuests } from './content/cells'
import { headingOf } from './content/heading'
import { sheetName } from './object'
import { findSheet, finishSheet } from './queries'
import { drawSheet } from './render/draw'
import type { Drawn } from './render/order'

/** Makes the file of a sheet. A run that dies leaves a scratch file at most, and the next one begins anew. */
export const sheetJob = job({
  name: 'pass-sheet',
  input: Type.Object({ sheetId: id() }),
  result: Type.Object({}),
  run: async ({ sheetId }, { progress }) => {
    const { sheet } = (await findSheet(db, sheetId)) ?? {}
    // It has ended meanwhile, or a run finished it and died before it could say so.
    if (!sheet || sheet.eventId === null || sheet.file !== null) return {}
    await demandRoomInStorage(1)
    const path = storage.scratch()
    try {
      const heading = await headingOf(sheet, sheet.eventId, path)
      const isPoster = sheet.kind === 'checkin-poster'
      const cells = isPoster ? cellOfCode(sheet.checkinCodeId) : cellsOfGuests(sheet.eventId)
      const drawn = await drawSheet(heading, cells, progress)
      failpoint('after-render')
      // What was drawn lies on the disk by now: nothing that others need may have gone for it.
      await demandRoomInStorage(1)
      await keep(sheetId, path, drawn)
    } catch (error) {
      // Drawing it again would find no more room, so whoever asked is told at once.
      if (error instanceof StorageFull) explainStorage(error)
      throw error
    } finally {
      await rm(path, { force: true })
    }
    return {}
  },
})

/** Stores the file under a name of its own, and then lets the row say so. Whoever comes too late takes theirs away again. */
async function keep(sheetId: string, path: string, { size, pages, missing }: Drawn): Promise<void> {
  const file = crypto.randomUUID()
  await storage.adopt(sheetName(file), path)
  failpoint('after-files')
  // If this fails it may still be true, so the object stays: the sweep finds those of nobody.
  const isWanted = await finishSheet(db, sheetId, { file, size, pages, missing })
  if (isWanted) failpoint('after-ready')
  else await storage.remove(sheetName(file))
}
