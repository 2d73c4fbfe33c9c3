import type { DownloadKind } from './http/downloads/download'
import { exportFile } from './modules/account/privacy/export/download'
import { attendeeSheet } from './modules/gatherings/checkins/attendees/sheet'
import { sheetFile } from './modules/gatherings/pass-sheets/download'
import { tagSheet } from './modules/passes/tags/sheet'

/** Every area's files. */
export const downloads: DownloadKind[] = [attendeeSheet, sheetFile, tagSheet, exportFile]
