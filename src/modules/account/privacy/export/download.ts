import { AppError, notFound } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import type { DownloadKind } from '@/http/downloads/address'
import { explainStorage } from '@/modules/people/uploads/failures'
import { storage } from '@/outbound/storage/current'
import { exportName } from './lifetime'
import { endExport, findFileFor } from './queries'

export const exportFile: DownloadKind = {
  name: 'data-export',
  make: async ({ exportId = '', by = '', asker: kind = '', credential = '' }) => {
    const found = await findFileFor(db, { exportId, by, kind, credential })
    if (!found || found.file === null || found.size === null) throw notFound('Download')
    const content = await read(exportName(found.file), found.size)
    if (content === null) throw await lost(found.id, found.file)
    const day = found.createdAt.toISOString().slice(0, 10)
    return { name: `data ${day}.zip`, type: 'application/zip', chunks: chunksOf(content) }
  },
}

/** The person can request another export; the log tells the operator about the lost file. */
async function lost(id: string, file: string): Promise<AppError> {
  warnSparingly('privacy: the file of an export is missing', { object: exportName(file) })
  await endExport(db, id)
  return new AppError('not_found', refusals.exportGone)
}

const read = async (name: string, size: number) => {
  try {
    return await storage.read(name, undefined, size)
  } catch (error) {
    return explainStorage(error)
  }
}

async function* chunksOf(content: Blob | ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* content instanceof Blob ? content.stream() : content
}
