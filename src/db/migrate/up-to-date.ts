import { log } from '@/core/log'
import type { Use } from './installation'
import { migrateDatabase } from './migrate'

const NAMES_MAX = 10

/** Migrates at a start and logs the migrations. */
export async function bringUpToDate(url: string, use?: Use): Promise<void> {
  const run = await migratePatiently(url, use)
  if (run.length === 0) return
  const names = run.length > NAMES_MAX ? `${run[0]} … ${run.at(-1)}` : run.join(', ')
  log.info('the database was brought up to date', { migrations: run.length, names })
}

/** Migrates, and logs if it has to wait for the database. */
export const migratePatiently = (url: string, use?: Use) =>
  migrateDatabase(url, { use, onWait: (fault) => log.warn('waiting for the database', { fault }) })
