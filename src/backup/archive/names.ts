import { isObjectName } from '@/outbound/storage/object-names'

/** The first entry identifies a backup before the rest is read. */
export const FIRST = 'folkmoot-backup.json'
export const KEY = 'secret-key'
/** The last two entries: the manifest and its checksum. A file without them is truncated. */
export const MANIFEST = 'manifest.json'
export const MANIFEST_SUM = 'manifest.json.sha256'

const numbered = (number: number) => String(number).padStart(6, '0')

/** Checksums of the entries since the last such list, in the format of `sha256sum`. */
export const sumsName = (number: number) => `sha256/${numbered(number)}`
export const isSums = (name: string) => /^sha256\/\d{6,}$/.test(name)

export const rowsName = (table: string, part: number) => `tables/${table}/${numbered(part)}.zst`
export const tableIn = (name: string) => /^tables\/([a-z0-9_]+)\/\d{6,}\.zst$/.exec(name)?.[1]

export const objectEntry = (name: string) => `storage/${name}`
export const objectIn = (entry: string) => {
  const name = /^storage\/(.+)$/.exec(entry)?.[1]
  return name !== undefined && isObjectName(name) ? name : undefined
}
