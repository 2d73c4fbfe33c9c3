import { Type } from '@sinclair/typebox'
import { explainEnded, holdAccess, makerOf } from '@/auth/ended-credential'
import { action } from '@/core/action'
import { administratorOf, type Caller } from '@/core/caller'
import { now, nowMs } from '@/core/clock'
import { invalidField, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { pageOf, Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { otherTypes } from './categories'
import { demandFreeSpace } from './failures'
import { newKey, publicUrl } from './key'
import { presentUpload } from './present'
import {
  countUploadsOf,
  demandQuotaForUpload,
  insertUpload,
  listUploadsOf,
  markRemoved,
  NEWEST_FIRST,
  sumUploadsOf,
  type UploadRow,
} from './queries'
import {
  StorageUsage,
  Upload,
  UploadInput,
  UploadListInput,
  UploadRequest,
  UploadRequestResponse,
} from './schema'
import { UPLOAD_URL_MS, uploadTarget } from './upload-url'

type RequestedBy = Pick<UploadRow, 'maker' | 'madeByToken' | 'madeByGrant' | 'madeBySession'>

/** The credential that requested the upload URL; revoking it revokes the URL. Includes sessions, which may be stolen. */
const requestedBy = (caller: Caller): RequestedBy =>
  caller.credential.kind === 'session'
    ? { maker: 'session', madeByToken: null, madeByGrant: null, madeBySession: caller.credential.id }
    : { ...makerOf(caller), madeBySession: null }

/** The URL expires no later than the token that requested it. */
function expiryFor({ credential }: Caller, latest: Date): Date {
  const end = credential.kind === 'token' ? credential.expiresAt : null
  return end !== null && end < latest ? end : latest
}

export const requestUpload = action({
  name: 'requestUpload',
  access: 'write:uploads',
  summary: 'Request an upload URL',
  description:
    'Reserves quota for 15 minutes. Send the bytes to `uploadUrl`; once checked, the file is served at `publicUrl`. ' +
    'The upload URL needs no credential, and expires with the one that requested it.',
  input: UploadRequest,
  output: UploadRequestResponse,
  errors: ['conflict'],
  secret: true,
  run: async (caller, declared) => {
    const { filename, size, contentType, category } = declared
    const types = otherTypes(declared)
    if (types) throw invalidField('contentType', refusals.typesInCategory(types.join(' or ')))
    await demandFreeSpace(size)
    const id = newId()
    const key = newKey(declared, filename)
    const expiresAt = expiryFor(caller, new Date(nowMs() + UPLOAD_URL_MS))
    const { uploadUrl, ...where } = await uploadTarget({ id, expiresAt, size, contentType })
    return transaction(async (tx) => {
      await holdAccess(tx, caller)
      await demandQuotaForUpload(tx, caller.userId, size)
      await insertUpload(tx, {
        ...{ id, key, ownerId: caller.userId, ...requestedBy(caller), category, filename, contentType },
        ...{ declaredSize: size, expiresAt, createdAt: now(), changedAt: now(), ...where },
      }).catch(explainEnded)
      return { key, uploadUrl, publicUrl: publicUrl(key) }
    })
  },
})

export const listUploads = action({
  name: 'listUploads',
  access: 'read:uploads',
  summary: 'List your files',
  description: 'Newest first. Lists only files that were uploaded and checked.',
  input: UploadListInput,
  output: pageOf(Upload),
  run: async ({ userId }, { category, ...input }) =>
    keysetPage(
      {
        list: `uploads:${userId}`,
        filters: { category },
        input,
        order: NEWEST_FIRST,
        rows: (after) => listUploadsOf(db, userId, category, after),
        total: await countUploadsOf(db, userId, category),
      },
      presentUpload,
    ),
})

export const readStorageUsage = action({
  name: 'readStorageUsage',
  access: 'read:uploads',
  summary: 'Read your storage usage',
  description:
    'A file counts from the request on, with its declared size until it is checked; expired requests do not count.',
  input: Type.Object({}),
  output: StorageUsage,
  run: async ({ userId }) => {
    const sums = await sumUploadsOf(db, userId)
    return {
      totalSize: sums.reduce((total, { size }) => total + size, 0),
      fileCount: sums.reduce((total, { count }) => total + count, 0),
      byCategory: Object.fromEntries(sums.map(({ category, size, count }) => [category, { size, count }])),
    }
  },
})

export const deleteUpload = action({
  name: 'deleteUpload',
  access: 'write:uploads',
  summary: 'Delete a file',
  description: 'Your own; administrators may delete any file. Deleting a requested file ends its upload URL.',
  input: UploadInput,
  output: Success,
  errors: ['not_found'],
  run: (caller, { key }) =>
    transaction(async (tx) => {
      const administrator = administratorOf(caller)
      const removed = await markRemoved(tx, key, administrator ? undefined : caller.userId)
      if (!removed?.ownerId) throw notFound('Upload')
      await emit(tx, 'upload.deleted', { userId: removed.ownerId, key })
      if (administrator && removed.ownerId !== caller.userId)
        await audit(tx, administrator, {
          action: 'upload.delete',
          targetType: 'upload',
          targetId: removed.id,
        })
      return { success: true as const }
    }),
})
