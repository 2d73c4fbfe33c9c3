export const CAPABILITIES = { tools: true, resources: true, prompts: true }

export const PROTOCOL_VERSION = '2025-03-26'

/** Versions in which a tool tells the shape of its answer, and answers with a value beside the text. */
const STRUCTURED = ['2025-06-18', '2025-11-25']

/** The version in which we talk: the one that the client asks for, where we speak it. */
export const versionFor = (asked: unknown): string =>
  STRUCTURED.includes(asked as string) ? (asked as string) : PROTOCOL_VERSION

/** Clients of later versions say theirs with every request. */
export const isStructured = ({ headers }: Request): boolean => {
  const version = headers.get('mcp-protocol-version')
  return version !== null && STRUCTURED.includes(version)
}
