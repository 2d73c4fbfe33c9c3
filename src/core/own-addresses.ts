import { config } from '@/config/config'

/** The audiences of our tokens (RFC 8707): the API and the MCP endpoint. */
export const API_RESOURCE = config.baseUrl
export const MCP_RESOURCE = `${config.baseUrl}/mcp`

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Our host names; loopback has three. */
const hosts = new Set(
  [config.baseUrl, config.authUrl, config.legacyBaseUrl]
    .filter((url) => url !== null)
    .flatMap((url) => {
      const { host, hostname, port } = new URL(url)
      const same = LOOPBACK.includes(hostname) ? LOOPBACK : []
      return [host, ...same.map((name) => (port ? `${name}:${port}` : name))]
    }),
)

export const isOurHost = (host: string) => hosts.has(host)

/** The path of uploaded files. */
export const FILES_PATH = '/v1/uploads/file/'

const LENGTH_MAX = 2048

/**
 * The stored form of a picture address: normalized, unless that is too long, and relative for our own files, so that they follow
 * BASE_URL.
 */
export function storedAddress(shown: string): string {
  const url = URL.parse(shown)
  if (url === null || url.href.length > LENGTH_MAX) return shown
  return isOurHost(url.host) && url.pathname.startsWith(FILES_PATH) ? url.pathname + url.search : url.href
}

export const shownAddress = (stored: string): string =>
  stored.startsWith(FILES_PATH) ? config.baseUrl + stored : stored
