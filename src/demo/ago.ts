import { nowMs } from '@/core/clock'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const hoursAgo = (hours: number) => new Date(nowMs() - hours * HOUR_MS)
export const daysAgo = (days: number) => new Date(nowMs() - days * DAY_MS)
