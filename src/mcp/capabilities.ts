/** What agents can do here so far, beyond saying hello. */
export const CAPABILITIES = { tools: false, resources: false, prompts: false }

export const PROTOCOL_VERSION = '2025-03-26'
