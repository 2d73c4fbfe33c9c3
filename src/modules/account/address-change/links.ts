import { hashSecret } from '@/auth/secrets'
import { config } from '@/config/config'
import { DAY_MS } from '@/core/clock'
import type { ChangeRow } from './queries'

/** Deadline for the new address to confirm. */
export const CONFIRM_MS = DAY_MS
/** Deadline for the old address to undo. */
export const UNDO_MS = 7 * DAY_MS
/** Maximum age of a sign-in without a mailbox to warn. */
export const FRESH_MS = 15 * 60_000

/**
 * Link secrets are derived from a key, not random: a letter is rendered on sending, maybe twice, and the outbox must hold nothing
 * usable. A confirmation secret is bound to one new address.
 */
const token = (purpose: string, ...of: string[]) =>
  new Bun.CryptoHasher('sha256', config.secretKey)
    .update(['address change', purpose, ...of].join('\n'))
    .digest('hex')

type Asked = Pick<ChangeRow, 'id' | 'newEmail'>

const confirmToken = ({ id, newEmail }: Asked) => token('confirm', id, newEmail)
const undoToken = ({ id }: Asked) => token('undo', id)

export const hashesOf = (change: Asked) => ({
  confirmHash: hashSecret(confirmToken(change)),
  undoHash: hashSecret(undoToken(change)),
})

export const CONFIRM = '/auth/address/confirm'
export const UNDO = '/auth/address/undo'

export const confirmUrl = (change: Asked) => `${config.authUrl}${CONFIRM}?token=${confirmToken(change)}`
export const undoUrl = (change: Asked) => `${config.authUrl}${UNDO}?token=${undoToken(change)}`

/** The stored hash of a link's secret; undefined if malformed. */
export const hashOfToken = (shown: string): Uint8Array | undefined =>
  /^[0-9a-f]{64}$/.test(shown) ? hashSecret(shown) : undefined
