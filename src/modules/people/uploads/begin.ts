import { db } from '@/db/client'
import { isAnyStored } from './queries'

/** An empty storage is accepted only if the database references no files. */
export const mayBeginStorage = async (): Promise<boolean> => !(await isAnyStored(db))
