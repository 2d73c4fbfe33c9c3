import { fileName, incomingName, objectsOf, smallerName } from '../objects'
import type { StoredUpload } from './queries'

export type Expected = { name: string; size: number; sha256: string | null }

/** Objects that must exist for a row. */
export function expectedOf(row: StoredUpload): Expected[] {
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
export function possibleOf(row: StoredUpload): string[] {
  const expected = new Set(expectedOf(row).map(({ name }) => name))
  return objectsOf(row).filter((name) => !expected.has(name))
}
