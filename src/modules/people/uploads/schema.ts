import { type Static, Type } from '@sinclair/typebox'
import { inWords, line, optional, whole } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireTime } from '@/core/shapes'
import { category, contentType } from './categories'

export const BYTES_MAX = 10_485_760

export const UploadRequest = Type.Object(
  {
    category: category(),
    filename: line(1, 255, { description: "The owner's file name." }),
    contentType: contentType(),
    size: inWords(
      whole(1, BYTES_MAX, { description: 'Its exact length in bytes.' }),
      () => `must be a whole number of at least 1 and at most ${BYTES_MAX} bytes (${BYTES_MAX / 2 ** 20} MB)`,
    ),
  },
  { $id: 'UploadRequest' },
)

export const UploadRequestResponse = Type.Object(
  {
    key: Type.String({ description: 'Names the file, as in `DELETE /v1/uploads/{key}`.' }),
    uploadUrl: Type.String({
      format: 'uri',
      description:
        'Send the bytes here with PUT, once, within 15 minutes, with the declared `Content-Type` and `Content-Length`.',
    }),
    publicUrl: Type.String({ format: 'uri', description: 'Where it is served once checked.' }),
  },
  { $id: 'UploadRequestResponse' },
)

export const Upload = Type.Object(
  {
    key: Type.String({ description: 'Names the file, as in `DELETE /v1/uploads/{key}`.' }),
    category: Type.String(),
    filename: Type.String(),
    contentType: Type.String(),
    size: Type.Number({ description: 'Bytes, as stored.' }),
    createdAt: orNull(wireTime()),
  },
  { $id: 'Upload' },
)
export type Upload = Static<typeof Upload>

export const UploadListInput = Type.Object({
  ...pageFields,
  category: optional(line(1, 50, { description: 'Only those of this category.' })),
})

export const StorageUsage = Type.Object(
  {
    totalSize: Type.Number({ description: 'Total bytes.' }),
    fileCount: Type.Number({ description: 'Total files.' }),
    byCategory: Type.Record(
      Type.String(),
      Type.Object({
        size: Type.Number({ description: 'Bytes.' }),
        count: Type.Number({ description: 'Files.' }),
      }),
      { description: 'The same for each category.' },
    ),
  },
  { $id: 'StorageUsage' },
)
export type StorageUsage = Static<typeof StorageUsage>

export const UploadInput = Type.Object({
  key: line(1, 200, { description: 'The whole key. Its slashes may be encoded.' }),
})
