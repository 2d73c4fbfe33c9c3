import { type DatabaseAddress, directUrlOf } from '@/config/database-address'
import { primaryOf } from './primary'

/** The address for work that needs a session: LISTEN, session locks, migrations, queues, plans by index. */
export const direct = (url: string): string => directUrlOf(url) ?? url

/** The primary behind that address. */
export const sessionAddress = async (url: string): Promise<DatabaseAddress> => primaryOf(direct(url))
