import { config } from '@/config/config'

/** The resources that our tokens are for (RFC 8707): the API, and the endpoint for agents. */
export const API_RESOURCE = config.baseUrl
export const MCP_RESOURCE = `${config.baseUrl}/mcp`
