import { StorageDown } from './storage'

/** A truncated or overwritten object is an error, never served. */
export const damaged = (name: string, found: number, expected: number) =>
  new StorageDown(`The object ${name} has ${found} bytes instead of ${expected}`)
