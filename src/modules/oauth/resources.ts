import { config } from '@/config'
import { OAuthRefusal } from './refusal'

/** What tokens of ours are good for (RFC 8707): the API, and the door for agents beside it. */
export const API_RESOURCE = config.baseUrl
export const MCP_RESOURCE = `${config.baseUrl}/mcp`

/** The resource that a request names, if it names one. An origin is the same with and without its slash. */
export function readResource(given: string | undefined): string | null {
  if (given === undefined) return null
  if (given === API_RESOURCE || given === `${API_RESOURCE}/`) return API_RESOURCE
  if (given === MCP_RESOURCE) return MCP_RESOURCE
  throw new OAuthRefusal('invalid_target', 'resource must be this server or its /mcp')
}
