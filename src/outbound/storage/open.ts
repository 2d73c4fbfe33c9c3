import type { StorageAddress } from '@/config/storage-address'
import { diskStorage } from './local/disk'
import type { Storage } from './storage'

type Terms = { address: StorageAddress; scratchFolder: string; keepFree: number }

/** Nothing is touched before it is used: a storage that is away keeps no server from starting. */
export function openStorage({ address, keepFree }: Terms): Storage {
  if (address.kind === 'disk') return diskStorage({ folder: address.folder, keepFree })
  throw new Error('S3 comes next')
}
