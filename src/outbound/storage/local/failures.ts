import { StorageDown, StorageFull } from '../storage'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code

export const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

/** Maps errors of the operating system to storage errors; bugs pass unchanged. */
export function asStorageFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StorageFull('The disk of the storage is full', { cause: error })
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code))
    return new StorageDown('The folder of the storage cannot be used', { cause: error })
  return error
}

export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStorageFailure(error)
  }
}
