import { config } from '@/config/config'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Our own names; a loopback address has three, and all of them are the same machine. */
const hosts = new Set(
  [config.baseUrl, config.authUrl, config.legacyBaseUrl]
    .filter((url) => url !== null)
    .flatMap((url) => {
      const { host, hostname, port } = new URL(url)
      const same = LOOPBACK.includes(hostname) ? LOOPBACK : []
      return [host, ...same.map((name) => (port ? `${name}:${port}` : name))]
    }),
)

/** Whether an address with this host, and port where it has one, leads here. */
export const isOurHost = (host: string) => hosts.has(host)

/** Where files that people sent are served. */
export const FILES_PATH = '/v1/uploads/file/'

const LENGTH_MAX = 2048

/**
 * How an address of a picture is stored: in its normal form, unless that is longer than an address may be, and for files of
 * ours without scheme and host, so that they follow BASE_URL.
 */
export function storedAddress(shown: string): string {
  const url = URL.parse(shown)
  if (url === null || url.href.length > LENGTH_MAX) return shown
  return isOurHost(url.host) && url.pathname.startsWith(FILES_PATH) ? url.pathname + url.search : url.href
}

export const shownAddress = (stored: string): string =>
  stored.startsWith(FILES_PATH) ? config.baseUrl + stored : stored
