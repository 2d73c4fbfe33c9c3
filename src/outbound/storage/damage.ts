import { StorageDown } from './storage'

/** An object that was cut off, or written over: nobody is given it for what it was. */
export const damaged = (name: string, found: number, expected: number) =>
  new StorageDown(`The object ${name} has ${found} bytes instead of ${expected}`)
