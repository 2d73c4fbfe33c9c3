import { db } from '@/db/client'
import { isAnyStored } from './queries'

/** A storage without files is right only as long as the database knows of none. */
export const mayBeginStorage = async (): Promise<boolean> => !(await isAnyStored(db))
