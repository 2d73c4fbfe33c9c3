import type { Tx } from '@/db/client'
import { endSheetsNaming } from './queries'

/**
 * Ends the sheets of all events that a person answered to: their name may stand there, and printing again is cheap. The
 * files go after the commit.
 */
export const endSheetsOf = (tx: Tx, userId: string): Promise<unknown> => endSheetsNaming(tx, userId)
