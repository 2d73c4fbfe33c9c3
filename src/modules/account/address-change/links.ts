import { hashSecret } from '@/auth/hashing'
import { config } from '@/config/config'
import type { ChangeRow } from './queries'

/**
 * The secrets of the links are made from a key of ours, not drawn: a letter is written when it is sent, possibly twice, and
 * nothing has to lie in the outbox that would open anything. One that confirms holds for one new address only.
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

/** What is kept of the secret that a link shows; nothing when it cannot be one of ours. */
export const hashOfToken = (shown: string): Uint8Array | undefined =>
  /^[0-9a-f]{64}$/.test(shown) ? hashSecret(shown) : undefined
