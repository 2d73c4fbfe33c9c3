import { attendeeSheet } from '@/modules/checkins/attendees/sheet'
import type { DownloadMaker } from './download'

/** Everything that can be downloaded. An area adds its own with one line. */
export const KINDS = {
  attendees: attendeeSheet,
} as const satisfies Record<string, DownloadMaker>

export type DownloadKind = keyof typeof KINDS

export const makerOf = (kind: string | undefined): DownloadMaker | undefined =>
  kind !== undefined && Object.hasOwn(KINDS, kind) ? KINDS[kind as DownloadKind] : undefined
