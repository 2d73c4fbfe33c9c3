import type { Client, Connection, Submittable } from 'pg'

/** The driver implements this part of the protocol, but its types omit it. */
type Wire = Connection & { endCopyFrom(): void }

/** Whole rows in the text format of `COPY`. The sum of their hashes does not depend on their order. */
export type Rows = { bytes: Uint8Array; count: number; hash: bigint }

/** Memory per table; a larger row goes alone. */
const PART_BYTES = 4 * 1024 * 1024

/** `COPY … TO STDOUT` in parts of whole rows, with backpressure, so that memory is constant for any table size. */
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

/** Copies rows, because the driver reuses its buffer. */
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

/** `COPY … FROM STDIN`. The next call throws what the server refuses. */
export function copyIn(client: Client, statement: string): CopyIn {
  const begun = Promise.withResolvers<Wire>()
  const done = Promise.withResolvers<void>()
  // Writers await these too; a rejection without an awaiting writer must not end the process.
  begun.promise.catch(() => {})
  // Created once: a handler per write would keep its rows in memory until the end.
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
      // Backpressure keeps one part in memory; a refusal by the server ends the wait.
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

/** A CopyData header: its letter, and its length including itself. */
function headerOf(bytes: Uint8Array): Buffer {
  const header = Buffer.from('d\0\0\0\0')
  header.writeUInt32BE(bytes.length + 4, 1)
  return header
}

/** Protocol messages that are ignored here. */
const silent = {
  handleCopyData() {},
  handleCommandComplete() {},
  handleRowDescription() {},
  handleDataRow() {},
  handleEmptyQuery() {},
}
