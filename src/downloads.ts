import type { DownloadKind } from './http/downloads/download'
import { attendeeSheet } from './modules/gatherings/checkins/attendees/sheet'

/** Every area's files. */
export const downloads: DownloadKind[] = [attendeeSheet]
