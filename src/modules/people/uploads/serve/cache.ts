import { AppError } from '@/core/errors'
import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { POLL_AGAIN } from '../failures'
import { findUploadByKey, type UploadRow } from '../queries'
import { type ReadyRow, type Served, servedBy } from './versions'

const FILES_MAX = 5000

/** Caches only files that are ready, so that a hit needs no query. */
export const servedFiles = cache<Served>({
  max: FILES_MAX,
  load: async (key) => {
    const row = await findUploadByKey(db, key)
    if (row === undefined || !isReady(row)) throw notServed(row)
    return servedBy(row)
  },
  drops: ({ type, data }, drop) => {
    if (type === 'upload.deleted') drop.key(data.key)
    else if (type === 'user.deleted') drop.where(({ ownerId }) => ownerId === data.userId)
  },
})

const isReady = (row: UploadRow): row is UploadRow & ReadyRow => row.state === 'ready'

const NO_STORE = { 'cache-control': 'no-store' }
const NOT_YET = { ...NO_STORE, ...POLL_AGAIN }

/** Keys cannot be guessed, so the owner of one may know the file's status and whether to wait. */
export const notServed = (row?: UploadRow) =>
  new AppError('not_found', sentenceFor(row), isComing(row) ? NOT_YET : NO_STORE)

const isComing = (row?: UploadRow) => row?.state === 'requested' || row?.state === 'received'

function sentenceFor(row: UploadRow | undefined): string {
  if (row?.state === 'requested') return 'This file has not been sent yet'
  if (row?.state === 'received') return 'This file is still being checked: try again in a moment'
  if (row?.state === 'refused') return `This file was refused: ${row.reason}`
  return 'File not found'
}
