import { DAY_MS } from '@/core/clock'

/** How long the new address may confirm. */
export const CONFIRM_MS = DAY_MS
/** How long the old address may undo it. */
export const UNDO_MS = 7 * DAY_MS
/** How old a sign-in may be where nobody can be warned. */
export const FRESH_MS = 15 * 60_000
