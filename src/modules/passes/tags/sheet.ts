import { csvRow } from '@/core/csv'
import { notFound } from '@/core/errors'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import type { DownloadKind } from '@/http/downloads/address'
import { passUrl, shownCode } from '@/modules/passes/passes/id'
import type { PassRow } from '@/modules/passes/passes/queries'
import { ndefOf } from '@/modules/passes/symbols/ndef'
import { isAdministrator, tagsOfMoment } from './queries'
import type { PassTag } from './schema'

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

/**
 * The tags of an order as CSV for tag writers and printers. Without a byte order mark, which some programs would read as part of
 * the first column name.
 */
export const tagSheet: DownloadKind = {
  name: 'tags',
  make: async ({ mintedAt = '', by = '' }) => {
    if (!(await isAdministrator(db, by))) throw notFound('Download')
    return {
      name: `tags ${mintedAt.slice(0, 10)}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: tableOf(new Date(mintedAt)),
    }
  },
}

async function* tableOf(mintedAt: Date): AsyncGenerator<string> {
  yield HEADER + (await tagsOfMoment(db, mintedAt)).map(lineOf).join('')
}

export const HEADER = csvRow(['id', 'code', 'url', 'ndefHex'])

export function lineOf(tagId: string): string {
  const { id, url, ndefHex } = presentWritable(tagId)
  return csvRow([id, shownCode(id), url, ndefHex])
}
