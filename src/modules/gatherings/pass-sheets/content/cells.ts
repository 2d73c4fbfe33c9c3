import { conflict } from '@/core/errors'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { printedCheckinUrl } from '@/modules/gatherings/checkins/address'
import { printedUrl, shownCode } from '@/modules/passes/passes/id'
import { qrPassesOf } from '@/modules/passes/passes/own-qr'
import type { SheetCell } from '@/modules/passes/sheets/render'
import { findCode, type Guest, guestsAfter } from './queries'

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
  if (seen.size === 0) throw conflict('Nobody has a seat yet: there is nothing to print')
}

export async function* cellOfCode(codeId: string | null): AsyncGenerator<SheetCell[]> {
  const found = codeId === null ? undefined : await findCode(db, codeId)
  if (!found) throw conflict('The check-in code was deleted: choose another one')
  yield [{ name: null, url: printedCheckinUrl(found.code), code: found.code, line: found.label }]
}
