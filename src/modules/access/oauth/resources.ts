import { API_RESOURCE, MCP_RESOURCE } from '@/core/resources'
import { OAuthRefusal } from './refusal'

/** The requested resource. An origin equals itself with a slash. */
export function readResource(given: string | undefined): string | null {
  if (given === undefined) return null
  if (given === API_RESOURCE || given === `${API_RESOURCE}/`) return API_RESOURCE
  if (given === MCP_RESOURCE) return MCP_RESOURCE
  throw new OAuthRefusal('invalid_target', 'resource must be this server or its /mcp')
}

/** The resource of a token: that of the consent, or a narrower requested one. Null if none was named. */
export function resourceWithin(allowed: string | null, asked: string | null): string | null {
  if (allowed !== null && asked !== null && asked !== allowed)
    throw new OAuthRefusal('invalid_target', 'resource is not the one that was asked for at the beginning')
  return allowed ?? asked
}
