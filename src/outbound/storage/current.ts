import { config } from '@/config/config'
import type { StorageAddress } from '@/config/storage-address'
import { diskStorage } from './local/disk'
import type { MayBegin } from './local/marker'
import { s3Storage } from './s3/s3'
import type { Storage } from './storage'

type Terms = { address: StorageAddress; scratchFolder: string; keepFree: number; mayBegin?: MayBegin }

/** Connects lazily: an unavailable storage does not prevent a start. */
export const openStorage = ({ address, scratchFolder, keepFree, mayBegin }: Terms): Storage =>
  address.kind === 'disk'
    ? diskStorage({ folder: address.folder, keepFree, mayBegin })
    : s3Storage({ address, scratchFolder })

let mayBegin: MayBegin = () => {
  throw new Error('The check for stored files is not injected')
}

/** Injected by the process: an empty folder is initialized only if no rows refer to files. */
export function useMayBegin(given: MayBegin) {
  mayBegin = given
}

/** The storage at `STORAGE_URL`. */
export const storage: Storage = openStorage({ ...config.storage, mayBegin: () => mayBegin() })
