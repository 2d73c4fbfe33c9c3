import { config } from '@/config/config'
import { ConfigError } from '@/config/error'
import { lockDataFolder } from '@/db/data-lock'
import { type Undone, type Upgraded, undoUpgrade, upgradeCluster } from '@/db/major-upgrade/upgrade'
import { CATALOGUE } from './catalogue'
import { task } from './command'
import { progress } from './progress'
import { counted } from './units'

export const databaseUpgrade = task({
  ...CATALOGUE.databaseUpgrade,
  connects: false,
  async work(_, options): Promise<Upgraded | Undone> {
    const { dataDir, databaseUrl } = config
    if (databaseUrl !== null)
      throw new ConfigError(
        'This is for the database in DATA_DIR: the server of DATABASE_URL is upgraded with the programs of PostgreSQL, or by "folkmoot backup" and "folkmoot restore".',
      )
    const unlock = lockDataFolder(dataDir)
    const { say, done } = progress()
    try {
      if (options.has('--undo')) return undoUpgrade(dataDir)
      return await upgradeCluster(dataDir, options.get('--binaries'), (table) =>
        say(() => `Rows of ${table}`),
      )
    } finally {
      done()
      unlock()
    }
  },
  show: (result) =>
    'rows' in result
      ? [
          `The database is of PostgreSQL ${result.to} now: ${counted(result.rows, 'row')} of ${counted(result.tables, 'table')}, each compared with the old one.`,
          `The old one is in ${result.kept}: "folkmoot database upgrade --undo" puts it back. Remove it when all is well.`,
        ].join('\n')
      : [
          `The database of PostgreSQL ${result.to} is back in its place: start the release that made it.`,
          ...(result.kept === null
            ? []
            : [
                `What was written since the upgrade is not in it, but in ${result.kept}, of PostgreSQL ${result.from}.`,
              ]),
        ].join('\n'),
})
