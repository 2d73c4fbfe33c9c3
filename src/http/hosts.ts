import { config } from '@/config/config'
import { badRequest } from '@/core/errors'
import type { Visit } from './visit'

const hostOf = (url: string) => new URL(url).host

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Our own names; a loopback address has three, and all of them are the same machine. */
const names = new Set<string>()
for (const url of [config.baseUrl, config.authUrl, config.legacyBaseUrl])
  if (url !== null) {
    names.add(hostOf(url))
    const { hostname, port } = new URL(url)
    if (LOOPBACK.includes(hostname)) for (const name of LOOPBACK) names.add(port ? `${name}:${port}` : name)
  }

/** Whether an address with this host, and port where it has one, leads here. */
export const isOurHost = (host: string) => names.has(host)

const legacyHost = config.legacyBaseUrl === null ? null : hostOf(config.legacyBaseUrl)

/** In production a request for a name that is not ours is refused, so that no cache can be taught one. */
export function demandKnownHost(visit: Visit) {
  if (config.checkHost && !isServed(visit.request.headers.get('host') ?? '') && !visit.traits.anyHost)
    throw badRequest('This host is not served here')
}

/** Names of hosts have no case, and symbols spell ours in capitals; the usual port and a last dot change nothing either. */
const isServed = (host: string) =>
  names.has(host) ||
  names.has(host.toLowerCase().replace(/\.?(:(80|443))?$/, '')) ||
  names.has(host.toLowerCase())

export const isLegacyHost = (request: Request) =>
  legacyHost !== null && request.headers.get('host') === legacyHost
