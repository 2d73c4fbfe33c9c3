import type { DownloadKind } from './http/downloads/download'
import { attendeeSheet } from './modules/gatherings/checkins/attendees/sheet'
import { sheetFile } from './modules/gatherings/pass-sheets/download'

/** Every area's files. */
export const downloads: DownloadKind[] = [attendeeSheet, sheetFile]
