import { config } from '@/config/config'

/** What tokens of ours are good for (RFC 8707): the API, and the door for agents beside it. */
export const API_RESOURCE = config.baseUrl
export const MCP_RESOURCE = `${config.baseUrl}/mcp`
