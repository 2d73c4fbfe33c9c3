import { DAY_MS } from '@/core/clock'

/** How long a sheet can be fetched. */
export const SHEET_MS = 7 * DAY_MS
