import { log } from '@/log'
import { migrateDatabase } from './migrate'

/** Brings the schema up to date, and says so when it has to wait for the database first. */
export const bringUpToDate = (url: string) =>
  migrateDatabase(url, (fault) => log.warn('waiting for the database', { fault }))
