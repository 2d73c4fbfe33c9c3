type Id = string | number | null

export type Call = { method: string; params: unknown; id: string | number | undefined }

export type Reply = { jsonrpc: '2.0'; id: Id } & (
  | { result: object }
  | { error: { code: number; message: string } }
)

export const FAULTS = {
  parse: { code: -32700, message: 'This is not JSON' },
  request: { code: -32600, message: 'This is not a JSON-RPC request' },
  method: { code: -32601, message: 'There is no such method' },
  params: { code: -32602, message: 'There is no such tool, or its arguments are no object' },
} as const

export const failed = (id: Id, error: { code: number; message: string }): Reply => ({
  jsonrpc: '2.0',
  id,
  error,
})

export const succeeded = (id: Id, result: object): Reply => ({ jsonrpc: '2.0', id, result })

/** Reads one message: a call, an answer to a question that we never ask, or neither. */
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

/** The id of something that may be no message at all, so that its sender knows what went wrong. */
export function idOf(message: unknown): Id {
  const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : undefined
  return isId(id) ? (id ?? null) : null
}
