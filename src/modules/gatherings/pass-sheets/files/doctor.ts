import { ago } from '@/core/clock'
import { FIRST_ID } from '@/core/ids'
import { db } from '@/db/client'
import { LEFTOVER_MS } from '@/outbound/storage/area'
import { idOf } from '@/outbound/storage/object-names'
import type { Storage, StoredObject } from '@/outbound/storage/storage'
import { sheetName } from '../download'
import { findSheetFiles, listReadyAfter, type ReadySheet } from './queries'

type Wrong = { key: string; name: string }

export type SheetDiagnosis = {
  /** Sheets whose file exists or should exist. */
  sheets: number
  objects: number
  bytes: number
  missing: Wrong[]
  wrongSize: (Wrong & { expected: number; found: number })[]
  /** Orphaned objects, too old to be in progress. */
  nobodys: { name: string; size: number }[]
  onTheirWay: number
}

const PAGE = 1000

/**
 * Compares the rows of print sheets with their objects. Both change meanwhile, so each finding is checked twice before it is
 * reported.
 */
export async function examineSheets(storage: Storage): Promise<SheetDiagnosis> {
  const objects = new Map<string, StoredObject>()
  for await (const object of storage.list('sheets/')) objects.set(object.name, object)
  const found: SheetDiagnosis = {
    sheets: 0,
    objects: objects.size,
    bytes: [...objects.values()].reduce((sum, { size }) => sum + size, 0),
    missing: [],
    wrongSize: [],
    nobodys: [],
    onTheirWay: 0,
  }
  for (let last = FIRST_ID, rows: ReadySheet[] = []; ; last = (rows.at(-1) as ReadySheet).id) {
    rows = await listReadyAfter(db, last, PAGE)
    found.sheets += rows.length
    for (const row of rows) await compare(storage, found, row, objects.get(sheetName(row.file as string)))
    if (rows.length < PAGE) break
  }
  await sortUnnamed(storage, found, [...objects.values()])
  return found
}

async function compare(
  storage: Storage,
  found: SheetDiagnosis,
  { id, file, size }: ReadySheet,
  listed: StoredObject | undefined,
): Promise<void> {
  if (listed?.size === size) return
  const name = sheetName(file as string)
  const object = await storage.find(name)
  if (object?.size === size || (await findSheetFiles(db, [file as string])).length === 0) return
  const wrong = { key: `pass-sheet/${id}`, name }
  if (object === null) found.missing.push(wrong)
  else found.wrongSize.push({ ...wrong, expected: size as number, found: object.size })
}

/** Ended sheets keep their rows until the worker has removed the objects. */
async function sortUnnamed(storage: Storage, found: SheetDiagnosis, objects: StoredObject[]): Promise<void> {
  const before = ago(LEFTOVER_MS)
  for (let at = 0; at < objects.length; at += PAGE) {
    const some = objects.slice(at, at + PAGE)
    const rows = await findSheetFiles(
      db,
      some.map(({ name }) => idOf(name)),
    )
    const named = new Set(rows.map(({ file }) => sheetName(file as string)))
    for (const { name, size, modifiedAt } of some) {
      if (named.has(name)) continue
      if (modifiedAt >= before) found.onTheirWay += 1
      else if (await storage.find(name)) found.nobodys.push({ name, size })
    }
  }
}
