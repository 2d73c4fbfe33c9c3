import { randomBytes } from 'node:crypto'
import { sealer } from '@/auth/sealing'

const SECRET_BYTES = 24
const PREFIX = 'whsec_'

const { seal, open } = sealer('webhook')

export type NewSecret = { shown: string; sealed: Uint8Array }

/** A secret as its owner sees it, once, and as it is kept. */
export function newSecret(webhookId: string): NewSecret {
  const secret = randomBytes(SECRET_BYTES)
  return { shown: PREFIX + secret.toString('base64'), sealed: seal(secret, webhookId) }
}

type Keeping = {
  id: string
  secret: Uint8Array
  previousSecret: Uint8Array | null
  previousUntil: Date | null
}

/** Those that sign at a moment: the newest first, and the one before it while receivers change over. */
export function secretsOf({ id, secret, previousSecret, previousUntil }: Keeping, at: Date): Uint8Array[] {
  const current = open(secret, id)
  const isChanging = previousSecret !== null && previousUntil !== null && previousUntil > at
  return isChanging ? [current, ...opened(previousSecret, id)] : [current]
}

/** What was sealed with another key signs nothing any more, and must not keep the new secret from signing. */
function opened(sealed: Uint8Array, id: string): Uint8Array[] {
  try {
    return [open(sealed, id)]
  } catch {
    return []
  }
}
