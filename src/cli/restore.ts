import { keyOf } from '@/backup/key'
import { rowsIn } from '@/backup/manifest'
import { restore as bringBack, type Progress } from '@/backup/restore'
import { verify } from '@/backup/verify'
import { type Config, config } from '@/config/config'
import { openMode } from '@/config/write-file'
import { requireKnown } from '@/db/backup/load'
import { lockDataFolder } from '@/db/data-lock'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { inMarkedFolder, MARKING } from '@/db/migrate/unfinished-restore'
import { storage, useMayBegin } from '@/outbound/storage/current'
import { openWarning } from './backup'
import { CATALOGUE } from './catalogue'
import { task } from './command'
import { progress } from './progress'
import { bytes, counted } from './units'

export const restore = task({
  ...CATALOGUE.restore,
  connects: false,
  async work([file = '']) {
    const { say, done } = progress()
    say(() => `Reading ${file}`)
    try {
      const { manifest, key } = await verify(file)
      requireKnown(manifest.migrations)
      const { put, replaced } = keyOf(key, file, config)
      // The database that knows the files does not exist yet.
      useMayBegin(async () => true)
      await onTarget(config, (databaseUrl) =>
        bringBack({
          file,
          manifest,
          databaseUrl,
          storage,
          putKey: put,
          onProgress: (so) => say(() => line(so)),
        }),
      )
      const { at, folkmoot, tables, files } = manifest
      return {
        file,
        at,
        folkmoot,
        into: config.databaseUrl === null ? config.dataDir : 'the database of DATABASE_URL',
        tables: tables.length,
        rows: rowsIn(manifest),
        files: files && { ...files, into: storage.label },
        key: replaced,
        isOpen: openMode(file) !== undefined,
      }
    } finally {
      done()
    }
  },
  show: ({ file, at, into, tables, rows, files, key, isOpen }) =>
    [
      `The community is as it was at ${at}, in ${into}: ${counted(rows, 'row')} of ${counted(tables, 'table')}, each table compared with the backup${files ? `; ${counted(files.objects, 'file')} (${bytes(files.bytes)}) in ${files.into}` : ''}.`,
      ...(key ? [`The key of the backup is in ${key}.`] : []),
      ...(files
        ? []
        : ['The backup holds no uploaded files: bring them back to STORAGE_URL from where they are kept.']),
      ...(isOpen ? [openWarning(file)] : []),
      'Start the server on it; "folkmoot storage doctor" compares rows and files.',
    ].join('\n'),
})

/** Marks a new embedded database as unfinished before anything can find it, and its folder while it is created. */
async function onTarget(where: Config, work: (url: string) => Promise<void>): Promise<void> {
  if (where.databaseUrl !== null) return work(where.databaseUrl)
  const unlock = lockDataFolder(where.dataDir)
  try {
    const { dataDir } = where
    const postgres = await inMarkedFolder(dataDir, () =>
      startEmbeddedPostgres({ dataDir, firstStatement: MARKING }),
    )
    try {
      await work(postgres.url)
    } finally {
      await postgres.stop()
    }
  } finally {
    unlock()
  }
}

const line = ({ table, files }: Progress) =>
  files.objects === 0
    ? `Rows of ${table}`
    : `Rows of ${table}; uploaded files: ${files.objects.toLocaleString('en')}, ${bytes(files.bytes)}`
