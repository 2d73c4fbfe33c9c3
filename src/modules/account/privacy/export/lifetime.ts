import { DAY_MS } from '@/core/clock'

/** How long an export can be fetched: it holds everything about somebody, so no longer than it takes to do so. */
export const EXPORT_MS = DAY_MS
/** How long one that failed says so, before another call begins anew. */
export const FAILED_MS = 10 * 60_000
/** How many may be begun in a day: by a person, and by each application for them, which takes nothing from theirs. */
export const A_DAY = { person: 5, application: 2 }
