export const CAPABILITIES = { tools: true, resources: true, prompts: true }

export const PROTOCOL_VERSION = '2025-03-26'

const LATEST = '2025-11-25'

/** Versions with output schemas and structured results. */
const STRUCTURED = ['2025-06-18', LATEST]

/** The requested version if we support it, else our latest. */
export const versionFor = (asked: unknown): string => {
  if (typeof asked !== 'string') return PROTOCOL_VERSION
  return STRUCTURED.includes(asked)
    ? asked
    : /^\d{4}-/.test(asked) && asked > LATEST
      ? LATEST
      : PROTOCOL_VERSION
}

/** Clients of later versions send theirs with every request. */
export const isStructured = ({ headers }: Request): boolean => {
  const version = headers.get('mcp-protocol-version')
  return version !== null && STRUCTURED.includes(version)
}
