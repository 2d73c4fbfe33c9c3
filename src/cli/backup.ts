import { dirname } from 'node:path'
import { backUp, type Progress } from '@/backup/back-up'
import { rowsIn } from '@/backup/manifest'
import { keepNewest, placeOf } from '@/backup/place'
import { verify } from '@/backup/verify'
import { config } from '@/config/config'
import { openMode } from '@/config/write-file'
import { databaseUrl, db } from '@/db/client'
import { recordBackup } from '@/db/last-backup'
import { storage } from '@/outbound/storage/current'
import { CATALOGUE } from './catalogue'
import { task, WrongUse } from './command'
import { progress } from './progress'
import { bytes, counted } from './units'

export const backup = task({
  ...CATALOGUE.backup,
  async work(_, options) {
    const at = new Date()
    const { file, isInFolder } = placeOf(options.get('--to'), at)
    const keep = numberToKeep(options.get('--keep'), isInFolder)
    const { say, done } = progress()
    const made = await backUp({
      file,
      at,
      databaseUrl: databaseUrl(),
      secretKey: config.secretKey,
      storage: options.has('--no-files') ? undefined : storage,
      onProgress: (so) => say(() => line(so), so.stage),
    }).finally(done)
    // A standby cannot record it, but its backup is as good.
    await recordBackup(db, at).catch(() => {})
    const removed = keep === undefined ? [] : keepNewest(dirname(file), keep)
    const { manifest, ...rest } = made
    return {
      ...rest,
      tables: manifest.tables.length,
      rows: rowsIn(manifest),
      files: manifest.files,
      removed,
    }
  },
  show: ({ file, bytes: size, tables, rows, files, removed }) =>
    [
      `${file}: ${bytes(size)}; ${counted(rows, 'row')} of ${counted(tables, 'table')}, ${files ? `${counted(files.objects, 'file')} (${bytes(files.bytes)})` : 'no uploaded files'}. It was read back, and is as it was written.`,
      'It holds what the community knows of its people, and the SECRET_KEY: keep it closed to others, and away from this machine.',
      ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}`] : []),
    ].join('\n'),
})

export const backupVerify = task({
  ...CATALOGUE.backupVerify,
  connects: false,
  async work([file = '']) {
    const { say, done } = progress()
    let entries = 0
    const { manifest } = await verify(file, async () => {
      entries += 1
      say(() => line({ stage: 'reading back', entries }))
    }).finally(done)
    const { folkmoot, at, postgres, tables, files } = manifest
    return {
      file,
      at,
      folkmoot,
      postgres,
      tables: tables.length,
      rows: rowsIn(manifest),
      files,
      isOpen: openMode(file) !== undefined,
    }
  },
  show: ({ file, at, folkmoot, postgres, tables, rows, files, isOpen }) =>
    [
      `${file} is as it was written: ${at}, by Folkmoot ${folkmoot} on PostgreSQL ${postgres}; ${counted(rows, 'row')} of ${counted(tables, 'table')}, ${files ? counted(files.objects, 'file') : 'no uploaded files'}.`,
      ...(isOpen ? [openWarning(file)] : []),
    ].join('\n'),
})

export const openWarning = (file: string) =>
  `Others on this machine can read ${file}, which holds what the community knows of its people, and the SECRET_KEY. Close it: chmod go= '${file}'`

function numberToKeep(given: string | undefined, isInFolder: boolean): number | undefined {
  if (given === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(given)) throw new WrongUse('--keep takes a whole number from 1 up.')
  if (!isInFolder) throw new WrongUse('--keep needs a folder after --to, whose old backups it removes.')
  return Number(given)
}

const line = (so: Progress) =>
  so.stage === 'rows'
    ? `Rows: ${so.rows.toLocaleString('en')}, now of ${so.table}`
    : so.stage === 'files'
      ? `Uploaded files: ${so.objects.toLocaleString('en')}, ${bytes(so.bytes)}`
      : `Reading back: ${counted(so.entries, 'part')}`
