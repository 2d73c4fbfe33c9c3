import { AppError, notFound } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import type { DownloadKind } from '@/http/downloads/address'
import { explainStorage } from '@/modules/people/uploads/failures'
import { storage } from '@/outbound/storage/current'
import { findFileFor } from './queries'

/** Each run writes its own object, so that a late run removes only its own. */
export const sheetName = (file: string) => `sheets/${file}`

export const sheetFile: DownloadKind = {
  name: 'pass-sheet',
  make: async ({ sheetId = '', by = '' }) => {
    const found = await findFileFor(db, sheetId, by)
    if (!found || found.file === null || found.size === null) throw notFound('Download')
    const content = await read(sheetName(found.file), found.size)
    if (content === null) throw lost(found.file)
    return { name: `${found.kind} ${found.title}.pdf`, type: 'application/pdf', chunks: chunksOf(content) }
  },
}

/** Staff can print a new sheet; the operator gets the log line. */
function lost(file: string): AppError {
  warnSparingly('pass-sheets: a file is missing that should be there', { object: sheetName(file) })
  return new AppError('not_found', refusals.sheetGone)
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
