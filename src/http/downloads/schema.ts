import { type Static, Type } from '@sinclair/typebox'
import { wireTime } from '@/core/shapes'

export const DownloadAddress = Type.Object(
  {
    url: Type.String({ format: 'uri', description: 'Works without a credential.' }),
    expiresAt: wireTime(),
  },
  { $id: 'DownloadAddress' },
)
export type DownloadAddress = Static<typeof DownloadAddress>
