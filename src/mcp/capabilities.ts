/** What agents can do here so far, beyond saying hello. */
export const CAPABILITIES = { tools: true, resources: false, prompts: false }

export const PROTOCOL_VERSION = '2025-03-26'
