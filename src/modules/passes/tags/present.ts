import { iso } from '@/core/shapes'
import { passUrl } from '@/modules/passes/passes/id'
import type { PassRow } from '@/modules/passes/passes/queries'
import { ndefOf } from '@/modules/passes/symbols/ndef'
import type { PassTag } from './schema'

/** What a writer of tags needs. */
export function presentWritable(id: string) {
  const url = passUrl(id)
  return { id, url, ndefHex: Buffer.from(ndefOf(url)).toString('hex') }
}

export const presentTag = ({ id, designId, isActive, claimedAt, createdAt }: PassRow): PassTag => ({
  ...presentWritable(id),
  designId,
  claimed: claimedAt !== null,
  isActive,
  claimedAt: iso(claimedAt),
  createdAt: iso(createdAt),
})
