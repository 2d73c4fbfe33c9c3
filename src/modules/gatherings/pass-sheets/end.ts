import type { Tx } from '@/db/client'
import { endSheetsNaming } from './queries'

/**
 * Ends the sheets of every event this person answered: their name may be printed there, and rendering again is cheap. Files are
 * removed after the commit.
 */
export const endSheetsOf = (tx: Tx, userId: string): Promise<unknown> => endSheetsNaming(tx, userId)
