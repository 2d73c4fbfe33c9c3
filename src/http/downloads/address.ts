import { type Static, Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { iso, wireTime } from '@/core/shapes'
import { signer } from '../signed'
import type { Visit } from '../visit'

/** A file generated while it is downloaded. */
export type Download = {
  /** The file name. */
  name: string
  type: string
  chunks: AsyncGenerator<string | Uint8Array>
}

/** A kind of download, by the name in its signed addresses. */
export type DownloadKind = {
  name: string
  /** Generates it from the signed ids: those of the object, and `by`, the requester, who must still have access. */
  make: (ids: Record<string, string>, visit: Visit) => Promise<Download>
}

export const DownloadAddress = Type.Object(
  {
    url: Type.String({ format: 'uri', description: 'Works without a credential.' }),
    expiresAt: wireTime(),
  },
  { $id: 'DownloadAddress' },
)
export type DownloadAddress = Static<typeof DownloadAddress>

const TEN_MINUTES_MS = 10 * 60 * 1000

export const downloadTokens = signer('download')

/** A signed address of a file, valid for ten minutes for any holder, while its creator may access the file. */
export async function addressOf(
  { userId }: Caller,
  kind: DownloadKind,
  ids: Record<string, string>,
): Promise<DownloadAddress> {
  const { token, expiresAt } = await downloadTokens.sign(
    { ...ids, kind: kind.name, by: userId },
    TEN_MINUTES_MS,
  )
  return { url: `${config.baseUrl}/downloads/${token}`, expiresAt: iso(expiresAt) }
}
