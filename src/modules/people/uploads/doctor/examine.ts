import { ago, now } from '@/core/clock'
import { FIRST_ID } from '@/core/ids'
import { db } from '@/db/client'
import { LEFTOVER_MS } from '@/outbound/storage/area'
import { idOf } from '@/outbound/storage/object-names'
import { hashOfObject, type OnStray, type Storage, type StoredObject } from '@/outbound/storage/storage'
import { findWaitingForCheck } from '../check/queries'
import { fileName, incomingName, objectsOf, smallerName } from '../key'
import { findUploadsNaming, listUploadsAfter, type StoredUpload } from './queries'

type Expected = { name: string; size: number; sha256: string | null }

/** Objects that must exist for a row. */
function expectedOf(row: StoredUpload): Expected[] {
  const { state, incoming, file, sizes, declaredSize } = row
  if (state === 'received' && incoming !== null)
    return [{ name: incomingName(incoming), size: declaredSize, sha256: null }]
  if (state !== 'ready' || file === null) return []
  return [
    { name: fileName(file), size: row.size as number, sha256: row.sha256 },
    ...sizes.map((smaller) => ({
      name: smallerName(file, smaller),
      size: smaller.size,
      sha256: smaller.sha256,
    })),
  ]
}

/** Objects that may exist: not written yet, or not removed yet. */
function possibleOf(row: StoredUpload): string[] {
  const expected = new Set(expectedOf(row).map(({ name }) => name))
  return objectsOf(row).filter((name) => !expected.has(name))
}

type Wrong = { key: string; name: string }

export type Diagnosis = {
  storage: string
  uploads: number
  objects: number
  bytes: number
  isHashed: boolean
  missing: Wrong[]
  wrongSize: (Wrong & { expected: number; found: number })[]
  wrongContent: Wrong[]
  /** Orphaned objects, too old to be in progress. */
  nobodys: { name: string; size: number }[]
  /** Files with foreign names: never touched. */
  strays: string[]
  /** Objects without a row yet: uploads or checks in progress. */
  onTheirWay: number
  /** Uploaded files that no worker has checked yet. */
  awaitingCheck: { waiting: number; oldestSeconds: number | null }
  /** Deleted uploads whose objects the worker has yet to remove. */
  awaitingRemoval: number
  /** Unfinished scratch files; a sweep removes them. */
  leftovers: { files: number; bytes: number }
}

type Terms = { withHash: boolean; onProgress: (looked: number, of: number) => void }

const PAGE = 1000

/** Compares rows with stored objects. Both change meanwhile, so each finding is confirmed before it is reported. */
export async function examine(storage: Storage, { withHash, onProgress }: Terms): Promise<Diagnosis> {
  const strays: string[] = []
  const objects = await listed(storage, (name) => strays.push(name))
  const found: Diagnosis = {
    storage: storage.label,
    uploads: 0,
    objects: objects.size,
    bytes: [...objects.values()].reduce((sum, { size }) => sum + size, 0),
    isHashed: withHash,
    missing: [],
    wrongSize: [],
    wrongContent: [],
    nobodys: [],
    strays,
    onTheirWay: 0,
    awaitingCheck: await findWaitingForCheck(db, now()),
    awaitingRemoval: 0,
    leftovers: await leftoversOf(storage),
  }
  let looked = 0
  for (let last = FIRST_ID, rows: StoredUpload[] = []; ; last = (rows.at(-1) as StoredUpload).id) {
    rows = await listUploadsAfter(db, last, PAGE)
    const looks: Look[] = []
    for (const row of rows) {
      found.uploads += 1
      if (row.state === 'removed') found.awaitingRemoval += 1
      for (const name of possibleOf(row)) objects.delete(name)
      for (const expected of expectedOf(row)) {
        looks.push({ key: row.key, expected, listed: objects.get(expected.name) })
        objects.delete(expected.name)
      }
    }
    await compare(storage, found, looks, withHash, () =>
      onProgress(++looked, Math.max(looked, found.objects)),
    )
    if (rows.length < PAGE) break
  }
  await sortUnnamed(storage, found, [...objects.values()])
  return found
}

export const isWell = ({ missing, wrongSize, wrongContent, nobodys }: Diagnosis): boolean =>
  [missing, wrongSize, wrongContent, nobodys].every((list) => list.length === 0)

/** Excludes print sheets, which have their own doctor. */
async function listed(storage: Storage, onStray: OnStray): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>()
  for await (const object of storage.list('', onStray))
    if (!/^(sheets|exports)\//.test(object.name)) objects.set(object.name, object)
  return objects
}

async function leftoversOf(storage: Storage) {
  const files = await storage.leftovers(ago(LEFTOVER_MS))
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

type Look = { key: string; expected: Expected; listed: StoredObject | undefined }

/** Concurrent requests to storage; hashes are read one by one. */
const LOOKS_AT_ONCE = 20

/** Looks at a page of files again where the listing differs, then asks once which of their rows still expect them. */
async function compare(
  storage: Storage,
  found: Diagnosis,
  looks: Look[],
  withHash: boolean,
  onLook: () => void,
): Promise<void> {
  const look = async ({ key, expected: { name, size, sha256 }, listed }: Look) => {
    const object = listed?.size === size ? listed : await storage.find(name)
    const wrong = { key, name }
    onLook()
    if (object === null) return { name, report: () => found.missing.push(wrong) }
    if (object.size !== size)
      return { name, report: () => found.wrongSize.push({ ...wrong, expected: size, found: object.size }) }
    if (withHash && sha256 !== null && (await hashOfObject(storage, name)) !== sha256)
      return { name, report: () => found.wrongContent.push(wrong) }
    return undefined
  }
  const atOnce = withHash ? 1 : LOOKS_AT_ONCE
  const reports = []
  for (let at = 0; at < looks.length; at += atOnce)
    reports.push(
      ...(await Promise.all(looks.slice(at, at + atOnce).map(look))).filter((one) => one !== undefined),
    )
  if (reports.length === 0) return
  const rows = await findUploadsNaming(db, [...new Set(reports.map(({ name }) => idOf(name)))])
  const stillExpected = new Set(rows.flatMap(expectedOf).map(({ name }) => name))
  for (const { name, report } of reports) if (stillExpected.has(name)) report()
}

/** A row may exist by now, and young objects may be in progress. */
async function sortUnnamed(storage: Storage, found: Diagnosis, unnamed: StoredObject[]): Promise<void> {
  const before = ago(LEFTOVER_MS)
  for (let at = 0; at < unnamed.length; at += PAGE) {
    const some = unnamed.slice(at, at + PAGE)
    const rows = await findUploadsNaming(db, [...new Set(some.map(({ name }) => idOf(name)))])
    const named = new Set(rows.flatMap(objectsOf))
    for (const { name, size, modifiedAt } of some) {
      if (named.has(name)) continue
      if (modifiedAt >= before) found.onTheirWay += 1
      else if (await storage.find(name)) found.nobodys.push({ name, size })
    }
  }
}
