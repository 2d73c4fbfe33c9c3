import type { DatabaseAddress } from '@/config/database-address'
import { directUrlOf } from '@/config/direct-url'
import { primaryOf } from './primary'

/**
 * The way to the same database for whatever needs a session of its own: LISTEN, locks that outlive a transaction,
 * migrations, queues, plans by index.
 */
export const direct = (url: string): string => directUrlOf(url) ?? url

/** The server behind it that takes writes: where a connection with a session of its own goes. */
export const sessionAddress = async (url: string): Promise<DatabaseAddress> => primaryOf(direct(url))
