import { Elysia } from 'elysia'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { removeOrphans } from '@/outbound/storage/orphans'
import { listener } from '@/outbox/listener'
import { exportProfile } from './actions'
import { exportFile } from './download'
import { exportJob } from './jobs'
import { EXPORT_MS } from './lifetime'
import { exportName } from './object'
import { findExportFiles } from './queries'
import { finishRemovals } from './removals'

const exportSweeps = [
  sweep({
    name: 'data exports',
    keeps: { ms: EXPORT_MS, after: 'it was made' },
    run: () => finishRemovals(),
  }),
  sweep({
    name: 'data exports of nobody',
    run: () =>
      removeOrphans('exports/', async (ids) =>
        (await findExportFiles(db, ids)).map(({ file }) => exportName(file as string)),
      ),
  }),
]

/** Deletes files of ended exports at once; the sweep retries failures. */
const exportListener = listener({
  name: 'data-exports',
  on: ['user.deleted', 'grant.revoked'],
  effect: finishRemovals,
})

const exportRoutes = new Elysia({ tags: ['User'] }).get('/v1/profile/export', ...serve(exportProfile))

export const dataExportArea = {
  routes: exportRoutes,
  jobs: [exportJob],
  listeners: [exportListener],
  sweeps: exportSweeps,
  downloads: [exportFile],
}
