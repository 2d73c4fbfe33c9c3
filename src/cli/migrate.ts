import { config } from '@/config/config'
import { hasEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { checkMigrations } from '@/db/migrate/migrate'
import { readRelease } from '@/db/migrate/release'
import { requireFinishedFolder } from '@/db/migrate/unfinished-restore'
import { migratePatiently } from '@/db/migrate/up-to-date'
import { CATALOGUE } from './catalogue'
import { task } from './command'
import { withAddress } from './database'
import { counted } from './units'

export const migrate = task({
  ...CATALOGUE.migrate,
  connects: false,
  async work(_, options) {
    const isCheck = options.has('--check')
    return { isCheck, migrations: isCheck ? await pending() : await withAddress(config, run) }
  },
  show: ({ isCheck, migrations }) =>
    [
      ...migrations.map((name) => `${isCheck ? 'pending' : 'run'}  ${name}`),
      verdict(isCheck, migrations),
    ].join('\n'),
})

const run = (url: string) => migratePatiently(url)

/** Checking a missing embedded database would create it. */
async function pending(): Promise<string[]> {
  if (config.databaseUrl === null) requireFinishedFolder(config.dataDir)
  if (config.databaseUrl === null && !hasEmbeddedPostgres(config.dataDir))
    return readRelease().map(({ name }) => name)
  return withAddress(config, checkMigrations)
}

function verdict(isCheck: boolean, migrations: string[]): string {
  if (isCheck && migrations.length > 0) return `${counted(migrations.length, 'migration')} would be run.`
  return 'The database is up to date.'
}
