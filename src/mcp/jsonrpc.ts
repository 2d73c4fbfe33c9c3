type Id = string | number | null

export type Call = { method: string; params: unknown; id: string | number | undefined }

/** Fits the head of a reply with a numeric or UUID id. */
const HEAD_BYTES_MAX = 96
const CLOSING_BRACE = 0x7d

/** A serialized result, with space for the head of a reply before it and the closing brace after it. */
export class Rendered {
  private readonly sheet: Buffer
  constructor(readonly text: string) {
    this.sheet = Buffer.allocUnsafeSlow(HEAD_BYTES_MAX + Buffer.byteLength(text) + 1)
    this.sheet[HEAD_BYTES_MAX + this.sheet.write(text, HEAD_BYTES_MAX)] = CLOSING_BRACE
  }

  /** The next call overwrites these bytes: the `Response` made from them copies them first. */
  bytesAfter(head: string): Uint8Array {
    const length = Buffer.byteLength(head)
    if (length > HEAD_BYTES_MAX)
      return Buffer.concat([Buffer.from(head), this.sheet.subarray(HEAD_BYTES_MAX)])
    this.sheet.write(head, HEAD_BYTES_MAX - length)
    return this.sheet.subarray(HEAD_BYTES_MAX - length)
  }
}

export type Reply = { jsonrpc: '2.0'; id: Id } & (
  | { result: object | Rendered }
  | { error: { code: number; message: string } }
)

/** Messages per batch, as the protocol's page promises. */
export const BATCH_MAX = 10

export const FAULTS = {
  parse: { code: -32700, message: 'This is not JSON' },
  request: { code: -32600, message: 'This is not a JSON-RPC request' },
  batch: { code: -32600, message: `A batch holds 1 to ${BATCH_MAX} messages` },
  method: { code: -32601, message: 'There is no such method' },
  params: { code: -32602, message: 'The arguments of a tool are an object' },
  uri: { code: -32602, message: 'Name what to read by its uri' },
  prompt: { code: -32602, message: 'There is no such prompt for this token' },
  resource: { code: -32002, message: 'There is no such resource' },
  internal: { code: -32603, message: 'Something went wrong on our side' },
} as const

/** A JSON-RPC error. */
export class Fault extends Error {
  constructor(readonly fault: { code: number; message: string }) {
    super(fault.message)
  }
}

export const failed = (id: Id, error: { code: number; message: string }): Reply => ({
  jsonrpc: '2.0',
  id,
  error,
})

export const succeeded = (id: Id, result: object): Reply => ({ jsonrpc: '2.0', id, result })

/** Parses one message: a call, an answer (we never ask), or neither. */
export function readMessage(message: unknown): Call | 'answer' | 'invalid' {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return 'invalid'
  const { jsonrpc, method, params, id } = message as Record<string, unknown>
  if (jsonrpc !== '2.0' || !isId(id)) return 'invalid'
  if (typeof method === 'string')
    return params === undefined || (typeof params === 'object' && params !== null)
      ? { method, params, id }
      : 'invalid'
  return 'result' in message || 'error' in message ? 'answer' : 'invalid'
}

const isId = (id: unknown): id is string | number | undefined =>
  id === undefined || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))

/** The id of a possibly invalid message, so that its sender can match the error. */
export function idOf(message: unknown): Id {
  const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : undefined
  return isId(id) ? (id ?? null) : null
}

export const textOf = (reply: Reply): string =>
  'result' in reply && reply.result instanceof Rendered
    ? `${headOf(reply)}${reply.result.text}}`
    : JSON.stringify(reply)

/** A cached result is sent as bytes, which is faster than encoding its text for every reply. */
export const bodyOf = (reply: Reply): string | Uint8Array =>
  'result' in reply && reply.result instanceof Rendered
    ? reply.result.bytesAfter(headOf(reply))
    : JSON.stringify(reply)

const headOf = ({ id }: Reply) =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`
