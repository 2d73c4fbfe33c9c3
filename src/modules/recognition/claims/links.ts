import { now } from '@/core/clock'
import { readableCode } from '@/core/codes'
import { invalidField } from '@/core/errors'
import { newId } from '@/core/ids'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { demandQuotaForLink, insertLink, type LinkRow } from './queries'
import type { ClaimLink } from './schema'

const CODE_LENGTH = 12

export type Limits = { maxUses?: number | null; expiresAt?: Date | null }

/** Without limits, a link never expires. */
export async function makeClaimLink(
  tx: Tx,
  badgeId: string,
  { maxUses = null, expiresAt = null }: Limits = {},
): Promise<LinkRow> {
  await demandQuotaForLink(tx, badgeId)
  for (;;) {
    const code = readableCode(CODE_LENGTH).toLowerCase()
    const row = await insertLink(tx, { id: newId(), badgeId, code, maxUses, expiresAt })
    // The code space is large, so a retry after a collision succeeds.
    if (row) return row
  }
}

export function readLimits({
  maxUses,
  expiresAt: until,
}: {
  maxUses?: number | null
  expiresAt?: string | null
}): Limits {
  const expiresAt = until ? new Date(until) : null
  if (expiresAt && expiresAt <= now()) throw invalidField('expiresAt', 'must be in the future')
  return { maxUses, expiresAt }
}

export const presentLink = (row: LinkRow): ClaimLink => ({
  id: row.id,
  code: row.code,
  maxUses: row.maxUses,
  currentUses: row.currentUses,
  expiresAt: iso(row.expiresAt),
  createdAt: iso(row.createdAt),
})
