import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { removeUnnamed } from '@/outbound/storage/nobodys'
import { findSheetFiles } from './files/queries'
import { finishRemovals } from './files/removals'
import { SHEET_MS } from './lifetime'
import { sheetName } from './object'

export const passSheetSweeps = [
  sweep({ name: 'print sheets', keeps: { ms: SHEET_MS, after: 'it was asked for' }, run: finishRemovals }),
  sweep({
    name: 'print sheets of nobody',
    run: () =>
      removeUnnamed('sheets/', async (ids) =>
        (await findSheetFiles(db, ids)).map(({ file }) => sheetName(file as string)),
      ),
  }),
]
