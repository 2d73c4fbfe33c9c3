import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { removeUnnamed } from '@/outbound/storage/nobodys'
import { EXPORT_MS } from './lifetime'
import { exportName } from './object'
import { findExportFiles } from './queries'
import { finishRemovals } from './removals'

export const exportSweeps = [
  sweep({
    name: 'data exports',
    keeps: { ms: EXPORT_MS, after: 'it was made' },
    run: () => finishRemovals(),
  }),
  sweep({
    name: 'data exports of nobody',
    run: () =>
      removeUnnamed('exports/', async (ids) =>
        (await findExportFiles(db, ids)).map(({ file }) => exportName(file as string)),
      ),
  }),
]
