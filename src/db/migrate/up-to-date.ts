import { log } from '@/core/log'
import type { Use } from './installation'
import { migrateDatabase } from './migrate'

/** Brings the schema up to date, and says so when it has to wait for the database first. */
export const bringUpToDate = (url: string, use?: Use) =>
  migrateDatabase(url, { use, onWait: (fault) => log.warn('waiting for the database', { fault }) })
