import { config } from '@/config/config'
import { openStorage } from './open'
import type { Storage } from './storage'

/** The storage of this server, by `STORAGE_URL`. */
export const storage: Storage = openStorage(config.storage)
