/** A truncated or overwritten object is an error, never served. */
export const damaged = (name: string, found: number, expected: number) =>
  new StorageDown(`The object ${name} has ${found} bytes instead of ${expected}`)

export async function streamOf(storage: Storage, name: string): Promise<ReadableStream<Uint8Array> | null> {
  const found = await storage.read(name)
  return found instanceof Blob ? found.stream() : found
}

/** The SHA-256 of an object, or null if it is missing. */
export async function hashOfObject(storage: Storage, name: string): Promise<string | null> {
  const body = await streamOf(storage, name)
  if (body === null) return null
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}

/** A byte range; the end is exclusive. */
export type Range = { start: number; end: number }

export type StoredObject = { name: string; size: number; modifiedAt: Date }

/** What the signature of an upload address fixes. */
export type PresignTerms = { length: number; type: string; lastsSeconds: number }

/** File storage. Names come from `object-names.ts`; every other name throws. Errors are `StorageFull` and `StorageDown`. */
export type Storage = {
  /** The location for people, without credentials. */
  label: string
  /**
   * The content, or a range; null if missing. A disk returns a Blob, S3 a promise of a stream. With `size`, a disk fails for a
   * truncated file.
   */
  read(name: string, range?: Range, size?: number): Blob | Promise<ReadableStream<Uint8Array> | null>
  find(name: string): Promise<StoredObject | null>
  /**
   * Moves a finished local file into the storage, atomically and durably, replacing an existing object. The local file is gone
   * afterwards in any case.
   */
  adopt(name: string, path: string): Promise<void>
  /** A local read-only file with the content, for other programs; `done` releases it. */
  borrow(name: string): Promise<Borrowed | null>
  /** A missing object is no error. */
  remove(name: string): Promise<void>
  /**
   * Objects by prefix, unordered: all (''), `incoming/`, `files/`, `sheets/`, `exports/`, or those of one upload (`files/<id>`).
   * Other files are skipped and passed to `onStray`.
   */
  list(prefix: string, onStray?: OnStray): AsyncIterable<StoredObject>
  /** A new path for a file being written, from which `adopt` is a rename if possible. */
  scratch(): string
  /** Orphaned scratch files, not written to since then. */
  leftovers(before: Date): Promise<Leftover[]>
  /** Free bytes for uploads; null if unknown. */
  freeBytes(): Promise<number | null>
  /** The address to which clients upload directly; absent on a disk, where the server receives the bytes. */
  presign?(name: string, terms: PresignTerms): Promise<string>
}

export type OnStray = (name: string) => void

export type Borrowed = { path: string; done(): Promise<void> }

export type Leftover = { path: string; size: number; modifiedAt: Date }

/** No space to store; existing objects are still readable. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}

/** The storage does not answer, or answers wrongly. */
export class StorageDown extends Error {
  override name = 'StorageDown'
}
