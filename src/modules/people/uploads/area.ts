import { Elysia } from 'elysia'
import { DAY_MS, now } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { schedule, sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { type Listener, listener } from '@/outbox/listener'
import { deleteUpload, listUploads, readStorageUsage, requestUpload } from './actions'
import { findWaitingForCheck } from './check/queries'
import { receiveRoutes } from './receive/routes'
import { removeOrphanedUploads } from './remove/orphans'
import { deleteRefused, removeExpired } from './remove/queries'
import { finishRemovals } from './remove/removals'
import { fileRoutes } from './serve/routes'
import { emptyPlace, type PicturePlace } from './uses/queries'
import { respell } from './uses/respell'
import { noteUnused, removeUnused, UNUSED_MS } from './uses/unused'

/** Senders who started in time may still be sending. */
const LATE_MS = 10 * 60_000

export const uploadSweeps = (places: PicturePlace[]) => [
  sweep({
    name: 'uploads that were not sent',
    keeps: { ms: LATE_MS, after: 'the time to send it' },
    run: (before) => removeExpired(db, before),
  }),
  sweep({
    name: 'refused uploads',
    keeps: { ms: DAY_MS, after: 'a file is refused' },
    run: (before) => deleteRefused(db, before),
  }),
  sweep({
    name: 'removed uploads',
    keeps: { ms: 0, after: 'its removal' },
    run: () => finishRemovals(places),
  }),
  sweep({ name: 'unchecked files of nobody', run: () => removeOrphanedUploads('incoming/') }),
]

/** Removes objects of deleted uploads at once; the sweep retries failures. */
export const uploadListener = (places: PicturePlace[]): Listener => ({
  name: 'uploads',
  on: ['upload.deleted', 'user.deleted'],
  effect: () => finishRemovals(places),
})

const usesSweeps = (places: PicturePlace[]) => [
  sweep({
    name: 'unused uploads',
    keeps: { ms: UNUSED_MS, after: 'the last use of a file' },
    run: () => removeUnused(places),
  }),
]

/** Clears every reference to a deleted file, so that no page shows a broken image. */
const usesListeners = (places: PicturePlace[]): Listener[] => [
  listener({
    name: 'pictures-that-are-gone',
    on: ['upload.deleted'],
    react: async (tx, event) => {
      if (event.type !== 'upload.deleted') return
      for (const place of places) await emptyPlace(tx, place, [event.data.key])
    },
  }),
  listener({
    name: 'pictures-of-what-is-gone',
    on: ['group.deleted', 'app.deleted'],
    effect: () => removeUnused(places),
  }),
]

const HOUR_MS = 60 * 60_000

async function tidy(places: PicturePlace[]): Promise<void> {
  await noteUnused(places)
  await respell(places)
}

/** Scans all usable files, so it does not run with the regular sweeps. */
const usesSchedules = (places: PicturePlace[]) => [
  schedule({ name: 'uses-of-uploads', everyMs: HOUR_MS, run: () => tidy(places) }),
]

async function uploadLines(): Promise<string[]> {
  const { waiting, oldestSeconds } = await findWaitingForCheck(db, now())
  return [
    ...sampled('gauge', 'folkmoot_uploads_waiting', 'Uploaded files that are not checked yet.', waiting),
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

/** Lists the whole bucket, so it runs every six hours instead of with the regular sweeps. */
const uploadSchedules = [
  schedule({ name: 'files-of-nobody', everyMs: SIX_HOURS_MS, run: () => removeOrphanedUploads() }),
]

const uploadRoutes = new Elysia({ tags: ['Uploads'] })
  .post('/v1/uploads/request', ...serve(requestUpload, { status: 201 }))
  .get('/v1/uploads', ...serve(listUploads))
  .get('/v1/uploads/usage', ...serve(readStorageUsage))
  .delete('/v1/uploads/*', ...serve(deleteUpload, { rest: 'key' }))
  .use(receiveRoutes)
  .use(fileRoutes)

/** `places` are all columns that store image URLs. A file that none of them references is unused. */
export const uploadsArea = (places: PicturePlace[]) => ({
  routes: uploadRoutes,
  tools: uploadsTools,
  listeners: [uploadListener(places), ...usesListeners(places)],
  schedules: [...uploadSchedules, ...usesSchedules(places)],
  // Order matters: files marked unused by the first sweeps are removed in the same round.
  sweeps: [...usesSweeps(places), ...uploadSweeps(places)],
  metrics: [uploadLines],
})
