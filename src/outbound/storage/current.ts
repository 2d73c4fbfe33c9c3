import { config } from '@/config/config'
import type { MayBegin } from './local/marker'
import { openStorage } from './open'
import type { Storage } from './storage'

let mayBegin: MayBegin = () => {
  throw new Error('Nobody has said what tells whether files were stored before')
}

/** Whoever composes a process says what knows of files: only where there are none yet, an empty folder is begun. */
export function useMayBegin(given: MayBegin) {
  mayBegin = given
}

/** The storage of this server, by `STORAGE_URL`. */
export const storage: Storage = openStorage({ ...config.storage, mayBegin: () => mayBegin() })
