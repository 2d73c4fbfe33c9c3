import { randomBytes } from 'node:crypto'
import { sealer } from '@/auth/secrets'
import type { OldSecret } from '@/db/tables/webhooks'

const SECRET_BYTES = 24
const PREFIX = 'whsec_'
const CHANGEOVER_MS = 24 * 60 * 60 * 1000
/** Limits the signatures of a delivery, however often the secret is rotated. */
const OLD_MAX = 5

const { seal, open } = sealer('webhook')

export type NewSecret = { shown: string; sealed: Uint8Array }

/** A secret as its owner sees it, once, and as it is kept. */
export function newSecret(webhookId: string): NewSecret {
  const secret = randomBytes(SECRET_BYTES)
  return { shown: PREFIX + secret.toString('base64'), sealed: seal(secret, webhookId) }
}

type Keeping = { id: string; secret: Uint8Array; oldSecrets: OldSecret[] }

/** What is kept of a webhook's secrets when it gets a new one. */
export const replaced = ({ secret, oldSecrets }: Keeping, by: NewSecret, at: Date) => ({
  secret: by.sealed,
  oldSecrets: [
    { sealed: Buffer.from(secret).toString('base64'), until: later(at, CHANGEOVER_MS).toISOString() },
    ...signing(oldSecrets, at),
  ].slice(0, OLD_MAX),
})

/** Those that sign at a moment: the newest first, and those before it while receivers change over. */
export const secretsOf = ({ id, secret, oldSecrets }: Keeping, at: Date): Uint8Array[] => [
  open(secret, id),
  ...signing(oldSecrets, at).flatMap(({ sealed }) => opened(sealed, id)),
]

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

const signing = (old: OldSecret[], at: Date) => old.filter(({ until }) => new Date(until) > at)

/** What was sealed with another key signs nothing any more, and must not keep the new secret from signing. */
function opened(sealed: string, id: string): Uint8Array[] {
  try {
    return [open(Buffer.from(sealed, 'base64'), id)]
  } catch {
    return []
  }
}
