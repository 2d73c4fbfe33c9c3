import { Elysia } from 'elysia'
import { now } from '@/core/clock'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { storage } from '@/outbound/storage/current'
import { removeOrphans } from '@/outbound/storage/orphans'
import { listener } from '@/outbox/listener'
import { exportProfile } from './actions'
import { exportFile } from './download'
import { exportJob } from './jobs'
import { EXPORT_MS, exportName } from './lifetime'
import { deleteEnded, findExportFiles, listEnded } from './queries'

const AT_ONCE = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Deletes the objects of ended exports, then their rows. Idempotent and safe to run concurrently. */
export async function finishRemovals(): Promise<void> {
  for (let last = FIRST, found = AT_ONCE; found === AT_ONCE; ) {
    const rows = await listEnded(db, last, now(), AT_ONCE)
    found = rows.length
    for (const row of rows) {
      last = row.id
      try {
        if (row.file !== null) await storage.remove(exportName(row.file))
        await deleteEnded(db, row)
      } catch (error) {
        warnSparingly('privacy: an export cannot be removed for now', reasonOf(error))
      }
    }
  }
}

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
