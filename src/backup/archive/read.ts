import { type FileHandle, open } from 'node:fs/promises'
import { FIRST } from './names'
import { END, HEADER_BYTES, type Header, paddingOf, readHeader } from './tar'

export class Damage extends Error {
  readonly entry: string

  constructor(
    readonly kind: 'cut' | 'altered' | 'foreign',
    entry: string,
  ) {
    super(`${kind} at an entry`)
    // The file chooses the name, and it is printed on a terminal.
    this.entry = entry.replaceAll(/[^ -~]/g, '?')
  }
}

export type Entry = Header & { content: AsyncGenerator<Uint8Array> }

const CHUNK_BYTES = 1024 * 1024

/** The entries of an archive in order. Throws on any unexpected byte outside of contents. */
export async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const file = await open(path, 'r')
  try {
    const { size: length } = await file.stat()
    let last = 'its beginning'
    if (length < HEADER_BYTES && !(await beginsLikeOurs(file, length))) throw new Damage('foreign', last)
    for (let at = 0; ; ) {
      const block = await bytesAt(file, at, HEADER_BYTES, last)
      if (block.every((byte) => byte === 0)) {
        await demandEnd(file, at, length, last)
        return
      }
      const header = readHeader(block)
      if (header === undefined) throw new Damage(at === 0 ? 'foreign' : 'altered', last)
      const start = at + HEADER_BYTES
      const padding = paddingOf(header.size)
      if (start + header.size + padding > length) throw new Damage('cut', header.name)
      yield { ...header, content: contentAt(file, start, header) }
      const rest = await bytesAt(file, start + header.size, padding, header.name)
      if (rest.some((byte) => byte !== 0)) throw new Damage('altered', header.name)
      at = start + header.size + padding
      last = header.name
    }
  } finally {
    await file.close()
  }
}

async function* contentAt(file: FileHandle, start: number, { name, size }: Header) {
  for (let done = 0; done < size; ) {
    const bytes = await bytesAt(file, start + done, Math.min(CHUNK_BYTES, size - done), name)
    done += bytes.length
    yield bytes as Uint8Array
  }
}

async function bytesAt(file: FileHandle, at: number, length: number, name: string): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done)
    if (bytesRead === 0) throw new Damage('cut', name)
    done += bytesRead
  }
  return bytes
}

async function demandEnd(file: FileHandle, at: number, length: number, name: string) {
  const end = await bytesAt(file, at, END.length, name)
  if (at + END.length !== length || end.some((byte) => byte !== 0)) throw new Damage('altered', 'its end')
}

export async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content))
}

/** A file of a few foreign bytes is no backup; a prefix of ours is a truncated one. */
const beginsLikeOurs = async (file: FileHandle, length: number) =>
  FIRST.startsWith((await bytesAt(file, 0, Math.min(length, FIRST.length), '')).toString())
