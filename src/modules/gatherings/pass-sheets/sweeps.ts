import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { removeUnnamed } from '@/outbound/storage/nobodys'
import { sheetName } from './object'
import { findSheetFiles } from './queries'
import { finishRemovals } from './removals'

export const passSheetSweeps = [
  sweep({ name: 'print sheets', run: finishRemovals }),
  sweep({
    name: 'print sheets of nobody',
    run: () =>
      removeUnnamed('sheets/', async (ids) =>
        (await findSheetFiles(db, ids)).map(({ file }) => sheetName(file as string)),
      ),
  }),
]
