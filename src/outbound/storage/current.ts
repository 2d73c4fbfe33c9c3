import { config } from '@/config/config'
import type { StorageAddress } from '@/config/storage-address'
import { diskStorage } from './local/disk'
import type { MayBegin } from './local/marker'
import { s3Storage } from './s3/s3'
import type { Storage } from './storage'

type Terms = { address: StorageAddress; scratchFolder: string; keepFree: number; mayBegin?: MayBegin }

/** Nothing is touched before it is used: a storage that is away keeps no server from starting. */
export const openStorage = ({ address, scratchFolder, keepFree, mayBegin }: Terms): Storage =>
  address.kind === 'disk'
    ? diskStorage({ folder: address.folder, keepFree, mayBegin })
    : s3Storage({ address, scratchFolder })

let mayBegin: MayBegin = () => {
  throw new Error('Nobody has said what tells whether files were stored before')
}

/** Whoever composes a process says what knows of files: only where there are none yet, an empty folder is begun. */
export function useMayBegin(given: MayBegin) {
  mayBegin = given
}

/** The storage of this server, by `STORAGE_URL`. */
export const storage: Storage = openStorage({ ...config.storage, mayBegin: () => mayBegin() })
