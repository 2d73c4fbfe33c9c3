import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { conflict, invalidField, notFound } from '@/core/errors'
import { pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { addressOf } from '@/http/downloads/address'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import { managedEvent } from '@/modules/gatherings/checkins/availability'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { labelsOn } from '@/modules/passes/sheets/papers'
import { sheetFile } from './download'
import { placeOrder } from './place-order'
import {
  countSheetsOf,
  findSheetOfGroup,
  isCodeOf,
  type KnownSheet,
  listSheetsOf,
  NEWEST_SHEET_FIRST,
  type SheetOrder,
} from './queries'
import { NewSheetInput, PassSheet, SheetInput, SheetsInput } from './schema'

const GUESTS_MAX = 10_000

export const listPassSheets = action({
  name: 'listPassSheets',
  access: 'manage:checkins',
  reads: true,
  summary: "List an event's print sheets",
  description: 'For volunteers and up. Newest first.',
  input: SheetsInput,
  output: pageOf(PassSheet),
  errors: ['not_found'],
  run: async (caller, { groupId, eventId, ...input }) => {
    await managedEvent(db, caller, { groupId, eventId }, 'volunteer')
    const page = await keysetPage(
      {
        list: `pass-sheets:${eventId}`,
        input,
        order: NEWEST_SHEET_FIRST,
        rows: (after) => listSheetsOf(db, eventId, after),
        total: await countSheetsOf(db, eventId),
      },
      (row) => row,
    )
    return { ...page, data: await Promise.all(page.data.map((row) => presentSheet(caller, row))) }
  },
})

export const createPassSheet = action({
  name: 'createPassSheet',
  access: 'manage:checkins',
  summary: 'Print badges, stickers or a poster for an event',
  description:
    'For volunteers and up. A worker creates the PDF: poll the sheet until it is `ready`. Guests without a QR pass get one; others keep theirs, so printing again changes no code. Requesting an identical sheet that is still queued returns that one. Sheets are deleted after seven days, and when a person whose name may be on one deletes their account.',
  input: NewSheetInput,
  output: PassSheet,
  errors: ['not_found', 'conflict'],
  run: async (caller, { kind, paper, checkinCodeId, startAt = 1, sort = 'name', ...place }) => {
    const codeId = kind === 'checkin-poster' ? (checkinCodeId ?? null) : null
    const order = { kind, paper, startAt, sort, checkinCodeId: codeId }
    const made = await transaction(async (tx) => {
      const event = await managedEvent(tx, caller, place, 'volunteer')
      await demandPrintable(tx, event, order)
      return placeOrder(tx, caller.userId, event.id, order)
    })
    return presentSheet(caller, made)
  },
})

async function demandPrintable(tx: Tx, event: EventRow, order: SheetOrder): Promise<void> {
  const labels = labelsOn(order.paper)
  if (order.startAt > labels)
    throw invalidField('startAt', labels === 1 ? refusals.noLabels : refusals.labelsMax(labels))
  if (order.kind === 'checkin-poster') {
    if (order.checkinCodeId === null) throw invalidField('checkinCodeId', refusals.neededForPoster)
    if (!(await isCodeOf(tx, event.id, order.checkinCodeId)))
      throw invalidField('checkinCodeId', refusals.codeOfEvent)
  } else if (event.confirmedCount > GUESTS_MAX) throw conflict(refusals.guestsTooMany(GUESTS_MAX))
}

export const readPassSheet = action({
  name: 'readPassSheet',
  access: 'manage:checkins',
  reads: true,
  summary: 'Read the status of a print sheet',
  description: 'For volunteers and up.',
  input: SheetInput,
  output: PassSheet,
  errors: ['not_found'],
  run: async (caller, { groupId, sheetId }) => {
    await managedGroup(db, caller, groupId, 'volunteer')
    const found = await findSheetOfGroup(db, groupId, sheetId)
    if (!found) throw notFound('Print sheet')
    return presentSheet(caller, found)
  },
})

const STATUS = { queued: 'queued', running: 'rendering', done: 'failed', failed: 'failed' } as const

/** The signed download link works while the caller is on the staff. */
async function presentSheet(caller: Caller, { sheet, job }: KnownSheet): Promise<PassSheet> {
  const { id, kind, paper, pages, missing } = sheet
  const isReady = sheet.file !== null
  return {
    id,
    kind,
    paper,
    status: isReady ? 'ready' : STATUS[job?.status ?? 'failed'],
    progress: isReady ? 100 : percent(job),
    url: isReady ? (await addressOf(caller, sheetFile, { sheetId: id })).url : null,
    pages,
    missing,
    error: isReady ? null : (job?.error ?? null),
    createdAt: iso(sheet.createdAt),
    expiresAt: iso(sheet.expiresAt),
  }
}

/** Stays below 100 until the file exists. */
const percent = (job: KnownSheet['job']) =>
  job?.total ? Math.min(99, Math.floor((100 * job.done) / job.total)) : 0
