import { config } from '@/config/config'
import type { Caller } from '@/core/caller'
import { iso } from '@/core/shapes'
import { signer } from '../signed'
import type { DownloadKind } from './download'
import type { DownloadAddress } from './schema'

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
