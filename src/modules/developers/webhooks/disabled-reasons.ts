import type { DisabledReason } from './queries'

/** Why a webhook is off, in words for its owner. */
const REASONS: Record<DisabledReason, string> = {
  gone: 'It answered 410 Gone',
  failing: 'It failed for five days',
  token_revoked: 'The token that made it was revoked',
  access_ended: 'The application that made it may no longer act for you',
}

export const reasonOf = <R extends DisabledReason | null>(reason: R) =>
  (reason === null ? null : REASONS[reason]) as R extends null ? null : string
