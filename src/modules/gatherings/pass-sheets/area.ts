import { Elysia } from 'elysia'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { removeOrphans } from '@/outbound/storage/orphans'
import { listener } from '@/outbox/listener'
import { createPassSheet, listPassSheets, readPassSheet } from './actions'
import { sheetFile } from './download'
import { findSheetFiles } from './files/queries'
import { finishRemovals } from './files/removals'
import { sheetJob } from './jobs'
import { sheetName } from './object'
import { SHEET_MS } from './place-order'

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
