export const CAPABILITIES = { tools: true, resources: true, prompts: true }

export const PROTOCOL_VERSION = '2025-03-26'

const LATEST = '2025-11-25'

/** Versions in which a tool tells the shape of its answer, and answers with a value beside the text. */
const STRUCTURED = ['2025-06-18', LATEST]

/** The version that the client asks for where we speak it, and our latest for a client that is ahead of us. */
export const versionFor = (asked: unknown): string => {
  if (typeof asked !== 'string') return PROTOCOL_VERSION
  return STRUCTURED.includes(asked)
    ? asked
    : /^\d{4}-/.test(asked) && asked > LATEST
      ? LATEST
      : PROTOCOL_VERSION
}

/** Clients of later versions say theirs with every request. */
export const isStructured = ({ headers }: Request): boolean => {
  const version = headers.get('mcp-protocol-version')
  return version !== null && STRUCTURED.includes(version)
}
