import { Elysia } from 'elysia'
import { now } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { schedule } from '@/core/schedule'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { deleteUpload, listUploads, readStorageUsage, requestUpload } from './actions'
import { findWaitingForCheck } from './check/queries'
import { uploadListener } from './listeners'
import { receiveRoutes } from './receive/routes'
import { removeNobodys } from './remove/nobodys'
import { fileRoutes } from './serve/routes'
import { uploadSweeps } from './sweeps'
import { usesSchedules } from './uses/jobs'
import { usesListeners } from './uses/listeners'
import type { PicturePlace } from './uses/queries'
import { usesSweeps } from './uses/sweeps'

/** The Prometheus lines of uploaded files. */
async function uploadLines(): Promise<string[]> {
  const { waiting, oldestSeconds } = await findWaitingForCheck(db, now())
  return [
    ...sampled('gauge', 'folkmoot_uploads_waiting', 'Uploaded files that wait for their check.', waiting),
    ...sampled(
      'gauge',
      'folkmoot_uploads_oldest_seconds',
      'How long the oldest of them has waited.',
      oldestSeconds ?? 0,
    ),
  ]
}

const uploadsTools = toolbox({
  uploads_list: [
    listUploads,
    {
      title: 'List my files',
      description: 'Lists the pictures and models that the person uploaded, with sizes and addresses.',
    },
  ],
})

const SIX_HOURS_MS = 6 * 60 * 60_000

/** All files are read through, so this is no sweep of every ten minutes. */
const uploadSchedules = [
  schedule({ name: 'files-of-nobody', everyMs: SIX_HOURS_MS, run: () => removeNobodys() }),
]

const uploadRoutes = new Elysia({ tags: ['Uploads'] })
  .post('/v1/uploads/request', ...serve(requestUpload, { status: 201 }))
  .get('/v1/uploads', ...serve(listUploads))
  .get('/v1/uploads/usage', ...serve(readStorageUsage))
  .delete('/v1/uploads/*', ...serve(deleteUpload, { rest: 'key' }))
  .use(receiveRoutes)
  .use(fileRoutes)

/** The places are everywhere that an area stores addresses of pictures. A file that none of them points at is not in use. */
export const uploadsArea = (places: PicturePlace[]) => ({
  routes: uploadRoutes,
  tools: uploadsTools,
  listeners: [uploadListener(places), ...usesListeners(places)],
  schedules: [...uploadSchedules, ...usesSchedules(places)],
  // What the first ones find unused is gone in the same round.
  sweeps: [...usesSweeps(places), ...uploadSweeps(places)],
  metrics: [uploadLines],
})
