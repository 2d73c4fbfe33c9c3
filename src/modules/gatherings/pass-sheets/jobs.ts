import { rm } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { conflict, notFound } from '@/core/errors'
import { failpoint } from '@/core/failpoint'
import { id } from '@/core/fields'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { job } from '@/jobs/job'
import { printedCheckinUrl } from '@/modules/gatherings/checkins/codes'
import { printedUrl, shownCode } from '@/modules/passes/passes/id'
import { qrPassesOf } from '@/modules/passes/passes/own-qr'
import type { SheetCell } from '@/modules/passes/sheets/render'
import { demandFreeSpace, explainStorage } from '@/modules/people/uploads/failures'
import { storage } from '@/outbound/storage/current'
import { StorageFull } from '@/outbound/storage/storage'
import { findCode, findSheetEvent, type Guest, guestsAfter } from './content/queries'
import { sheetName } from './download'
import { findSheet, finishSheet, type SheetRow } from './queries'
import { drawSheet } from './render/draw'
import type { Drawn, Heading } from './render/messages'

async function headingOf(
  { kind, paper, startAt, sort }: SheetRow,
  eventId: string,
  path: string,
): Promise<Heading> {
  const found = await findSheetEvent(db, eventId)
  if (!found) throw notFound('Event')
  const { title, group, startTime, timezone } = found
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: timezone }).format(startTime)
  const subtitle = `${group} · ${day}`
  return { kind, paper, startAt, title, subtitle, siteName: config.siteName, byName: sort === 'name', path }
}

const AT_ONCE = 500

/** Passes of all confirmed guests in RSVP order; creates missing ones. */
export async function* cellsOfGuests(eventId: string): AsyncGenerator<SheetCell[]> {
  // A guest who cancels and rejoins during the scan appears twice.
  const seen = new Set<string>()
  let last: Guest | undefined
  do {
    const guests = await guestsAfter(db, eventId, last, AT_ONCE)
    last = guests.length < AT_ONCE ? undefined : guests.at(-1)
    const passes = await transaction((tx) =>
      qrPassesOf(
        tx,
        guests.map(({ userId }) => userId),
      ),
    )
    const cells: SheetCell[] = []
    for (const { userId, name, username, isPublic } of guests) {
      const pass = passes.get(userId)
      // A private profile shows only its name.
      const fallback = isPublic ? username : null
      if (pass && !seen.has(userId))
        cells.push({ name, fallback, url: printedUrl(pass.id), code: shownCode(pass.id) })
      seen.add(userId)
    }
    yield cells
  } while (last)
  if (seen.size === 0) throw conflict(refusals.nothingToPrint)
}

export async function* cellOfCode(codeId: string | null): AsyncGenerator<SheetCell[]> {
  const found = codeId === null ? undefined : await findCode(db, codeId)
  if (!found) throw conflict(refusals.posterCodeDeleted)
  yield [{ name: null, url: printedCheckinUrl(found.code), code: found.code, line: found.label }]
}

/** Renders the file of a sheet. A crashed run leaves a scratch file at most, and the retry starts over. */
export const sheetJob = job({
  name: 'pass-sheet',
  input: Type.Object({ sheetId: id() }),
  result: Type.Object({}),
  run: async ({ sheetId }, { progress }) => {
    const { sheet } = (await findSheet(db, sheetId)) ?? {}
    // The sheet has ended, or an earlier run stored the file and crashed before it finished.
    if (!sheet || sheet.eventId === null || sheet.file !== null) return {}
    await demandFreeSpace(1)
    const path = storage.scratch()
    try {
      const heading = await headingOf(sheet, sheet.eventId, path)
      const isPoster = sheet.kind === 'checkin-poster'
      const cells = isPoster ? cellOfCode(sheet.checkinCodeId) : cellsOfGuests(sheet.eventId)
      const drawn = await drawSheet(heading, cells, progress)
      failpoint('after-render')
      // The scratch file is on disk now: check that it left enough free space.
      await demandFreeSpace(1)
      await keep(sheetId, path, drawn)
    } catch (error) {
      // A retry would find no more space, so the requester gets the error at once.
      if (error instanceof StorageFull) explainStorage(error)
      throw error
    } finally {
      await rm(path, { force: true })
    }
    return {}
  },
})

/** Stores the file under a new name, then records it. A run that comes too late removes its own file. */
async function keep(sheetId: string, path: string, { size, pages, missing }: Drawn): Promise<void> {
  const file = crypto.randomUUID()
  await storage.adopt(sheetName(file), path)
  failpoint('after-files')
  // On an error the update may still have committed, so the object stays: the sweep removes orphans.
  const isWanted = await finishSheet(db, sheetId, { file, size, pages, missing })
  if (isWanted) failpoint('after-ready')
  else await storage.remove(sheetName(file))
}
