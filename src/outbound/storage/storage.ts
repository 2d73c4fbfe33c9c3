/** A part of an object; the end is exclusive. */
export type Range = { start: number; end: number }

export type StoredObject = { name: string; size: number; modifiedAt: Date }

/** What the signature of an address for an upload holds its sender to. */
export type PresignTerms = { length: number; type: string; lastsSeconds: number }

/**
 * Where files are. Names are made by `object-names.ts` from ids of ours, and every other name throws. Failures
 * are `StorageFull` and `StorageDown`.
 */
export type Storage = {
  /** For people: where it is, without credentials. */
  label: string
  /**
   * The content, or a part of it; null when it is not there. A disk gives it at once, S3 a promise of a stream. A disk
   * that is told the size fails where it is another: what is there was cut off.
   */
  read(name: string, range?: Range, size?: number): Blob | Promise<ReadableStream<Uint8Array> | null>
  find(name: string): Promise<StoredObject | null>
  /**
   * Takes over a finished local file as an object, whole and durable or not at all; what had the name before is
   * replaced. The local file is gone afterwards, however it ends.
   */
  adopt(name: string, path: string): Promise<void>
  /** A local file with the content, for programs that need one and only read it; `done` gives it back. */
  borrow(name: string): Promise<Borrowed | null>
  /** Nothing happens if it is not there. */
  remove(name: string): Promise<void>
  /**
   * Objects whose names begin so, in no order: all (''), `incoming/`, `files/`, `sheets/`, `exports/`, or those of one upload (`files/<id>`).
   * Files that are none of ours are passed over; `onStray` hears of them.
   */
  list(prefix: string, onStray?: OnStray): AsyncIterable<StoredObject>
  /** A new path for a file being written, from which `adopt` is a rename where that can be. */
  scratch(): string
  /** Scratch files that nobody has written to since then: whoever made them is gone. */
  leftovers(before: Date): Promise<Leftover[]>
  /** Free bytes that uploads may still take; null where that cannot be known. */
  room(): Promise<number | null>
  /** The address to which clients send the bytes themselves; absent on a disk, where the server receives them. */
  presign?(name: string, terms: PresignTerms): Promise<string>
}

export type OnStray = (name: string) => void

export type Borrowed = { path: string; done(): Promise<void> }

export type Leftover = { path: string; size: number; modifiedAt: Date }

/** There is no room for what was to be stored; what is there can still be read. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}

/** The storage does not answer, or not as it should. */
export class StorageDown extends Error {
  override name = 'StorageDown'
}
