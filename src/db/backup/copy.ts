import type { Client, Connection, Submittable } from 'pg'

/** The driver speaks this part of the protocol, and its types leave it out. */
type Wire = Connection & { endCopyFrom(): void }

/** Rows in the text of `COPY`, a line each and never a part of one. The sum of their hashes is the same in any order. */
export type Rows = { bytes: Uint8Array; count: number; hash: bigint }

/** What is held of a table at once; a row that is larger goes alone. */
const PART_BYTES = 4 * 1024 * 1024

/**
 * `COPY … TO STDOUT`, in parts of whole rows. The server is kept waiting while nobody takes them, so memory stays as it is
 * however large the table.
 */
export async function* copyOut(client: Client, statement: string): AsyncGenerator<Rows> {
  const parts: Rows[] = []
  let open = gathering()
  let wake = () => {}
  let end: 'well' | Error | undefined
  let stream: Connection['stream'] | undefined

  const close = () => {
    if (open.count > 0) parts.push(open.rows())
    open = gathering()
  }
  const finish = (how: 'well' | Error) => {
    end = how
    close()
    wake()
  }
  client.query({
    ...silent,
    submit(connection: Connection) {
      stream = connection.stream
      connection.query(statement)
    },
    handleCopyData({ chunk }: { chunk: Uint8Array }) {
      if (!open.fits(chunk)) close()
      open.add(chunk)
      if (parts.length === 0) return
      stream?.pause()
      wake()
    },
    handleError: finish,
    handleReadyForQuery: () => finish('well'),
  } as Submittable)

  for (;;) {
    const part = parts.shift()
    if (part) yield part
    else if (end === 'well') return
    else if (end) throw end
    else {
      stream?.resume()
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}

/** A part that rows are copied into: the driver uses its own memory again. */
function gathering() {
  let bytes: Uint8Array = new Uint8Array(0)
  let [size, count, hash] = [0, 0, 0n]
  return {
    get count() {
      return count
    },
    fits: (row: Uint8Array) => count === 0 || size + row.length <= PART_BYTES,
    add(row: Uint8Array) {
      if (size + row.length > bytes.length) bytes = grown(bytes, size, size + row.length)
      bytes.set(row, size)
      size += row.length
      count += 1
      hash = BigInt.asUintN(64, hash + Bun.hash.xxHash64(row))
    },
    rows: (): Rows => ({ bytes: bytes.subarray(0, size), count, hash }),
  }
}

function grown(bytes: Uint8Array, size: number, needed: number): Uint8Array {
  const larger = new Uint8Array(Math.max(needed, Math.min(PART_BYTES, bytes.length * 4), 16 * 1024))
  larger.set(bytes.subarray(0, size))
  return larger
}

export type CopyIn = { write(bytes: Uint8Array): Promise<void>; end(): Promise<void> }

/** `COPY … FROM STDIN`. What the server refuses is thrown by the next call. */
export function copyIn(client: Client, statement: string): CopyIn {
  const begun = Promise.withResolvers<Wire>()
  const done = Promise.withResolvers<void>()
  // Each is also awaited by those who write; one that nobody awaits yet must not end the process.
  begun.promise.catch(() => {})
  // Made once: what each write would hang on it would keep its rows in memory until the end.
  const over = done.promise.then(() => Promise.reject(new Error('The copy is over')))
  over.catch(() => {})
  client.query({
    ...silent,
    submit: (connection: Connection) => void connection.query(statement),
    handleCopyInResponse: (connection: Wire) => begun.resolve(connection),
    handleError(error: Error) {
      begun.reject(error)
      done.reject(error)
    },
    handleReadyForQuery: () => done.resolve(),
  } as Submittable)
  return {
    async write(bytes) {
      const { stream } = await begun.promise
      // Waiting until it has left keeps no more than one part in memory. A refusal comes meanwhile, and ends the wait.
      await Promise.race([sent(stream, bytes), over])
    },
    async end() {
      ;(await begun.promise).endCopyFrom()
      await done.promise
    },
  }
}

const sent = (stream: Connection['stream'], bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    stream.write(headerOf(bytes))
    stream.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/** The beginning of a CopyData message: its letter, and its length with itself. */
function headerOf(bytes: Uint8Array): Buffer {
  const header = Buffer.from('d\0\0\0\0')
  header.writeUInt32BE(bytes.length + 4, 1)
  return header
}

/** Messages of the protocol that say nothing here. */
const silent = {
  handleCopyData() {},
  handleCommandComplete() {},
  handleRowDescription() {},
  handleDataRow() {},
  handleEmptyQuery() {},
}
