import { Elysia } from 'elysia'
import { now } from '@/core/clock'
import { FIRST_ID } from '@/core/ids'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { storage } from '@/outbound/storage/current'
import { removeOrphans } from '@/outbound/storage/orphans'
import { listener } from '@/outbox/listener'
import { createPassSheet, listPassSheets, readPassSheet } from './actions'
import { sheetFile, sheetName } from './download'
import { deleteEnded, findSheetFiles, listEnded } from './files/queries'
import { sheetJob } from './jobs'
import { SHEET_MS } from './place-order'

const AT_ONCE = 100

/** Removes objects of ended sheets, then their rows. Idempotent and safe to run concurrently. */
export async function finishRemovals(): Promise<void> {
  for (let last = FIRST_ID, found = AT_ONCE; found === AT_ONCE; ) {
    const rows = await listEnded(db, last, now(), AT_ONCE)
    found = rows.length
    for (const row of rows) {
      last = row.id
      try {
        if (row.file !== null) await storage.remove(sheetName(row.file))
        await deleteEnded(db, row)
      } catch (error) {
        warnSparingly('pass-sheets: a sheet cannot be removed for now', reasonOf(error))
      }
    }
  }
}

const passSheetSweeps = [
  sweep({ name: 'print sheets', keeps: { ms: SHEET_MS, after: 'it was asked for' }, run: finishRemovals }),
  sweep({
    name: 'print sheets of nobody',
    run: () =>
      removeOrphans('sheets/', async (ids) =>
        (await findSheetFiles(db, ids)).map(({ file }) => sheetName(file as string)),
      ),
  }),
]

/** Removes files of ended sheets at once; the sweep retries failures. */
const passSheetListener = listener({
  name: 'pass-sheets',
  on: ['user.deleted', 'group.deleted'],
  effect: finishRemovals,
})

const passSheetRoutes = new Elysia({ prefix: '/v1/manage/groups/:groupId', tags: ['Management'] })
  .get('/events/:eventId/pass-sheets', ...serve(listPassSheets))
  .post('/events/:eventId/pass-sheets', ...serve(createPassSheet, { status: 201 }))
  .get('/pass-sheets/:sheetId', ...serve(readPassSheet))

export const passSheetsArea = {
  routes: passSheetRoutes,
  jobs: [sheetJob],
  listeners: [passSheetListener],
  sweeps: passSheetSweeps,
  downloads: [sheetFile],
}
