import { config } from '@/config/config'
import { readableCode } from '@/core/codes'
import { newId } from '@/core/ids'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { type CodeRow, insertCode } from './queries'
import type { CheckinCode } from './schema'

export const PATH = '/checkin'
export const PRINTED_PATH = '/CHECKIN'

/** Upper case fits QR's alphanumeric mode, which makes a smaller symbol. */
export const printedCheckinUrl = (code: string): string =>
  `${config.baseUrl}${PRINTED_PATH}/${code}`.toUpperCase()

const CODE_LENGTH = 8

export type CodeFields = { label?: string | null; maxUses?: number | null; expiresAt?: Date | null }

/** Without `fields`, a code has no use limit and works whenever check-in is open. */
export async function makeCheckinCode(
  tx: Tx,
  eventId: string,
  { label = null, maxUses = null, expiresAt = null }: CodeFields = {},
): Promise<CodeRow> {
  for (;;) {
    const code = readableCode(CODE_LENGTH)
    const row = await insertCode(tx, { id: newId(), eventId, code, label, maxUses, expiresAt })
    // With 850 billion codes, a retry after a collision succeeds.
    if (row) return row
  }
}

export const presentCode = (row: CodeRow): CheckinCode => ({
  id: row.id,
  code: row.code,
  label: row.label,
  maxUses: row.maxUses,
  currentUses: row.currentUses,
  expiresAt: iso(row.expiresAt),
  createdAt: iso(row.createdAt),
})
