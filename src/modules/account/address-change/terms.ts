import { DAY_MS } from '@/core/clock'

/** Deadline for the new address to confirm. */
export const CONFIRM_MS = DAY_MS
/** Deadline for the old address to undo. */
export const UNDO_MS = 7 * DAY_MS
/** Maximum age of a sign-in without a mailbox to warn. */
export const FRESH_MS = 15 * 60_000
