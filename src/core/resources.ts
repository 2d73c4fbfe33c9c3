import { config } from '@/config/config'

/** The audiences of our tokens (RFC 8707): the API and the MCP endpoint. */
export const API_RESOURCE = config.baseUrl
export const MCP_RESOURCE = `${config.baseUrl}/mcp`
