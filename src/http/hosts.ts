import { config } from '@/config/config'
import { badRequest } from '@/core/errors'
import { isOurHost } from '@/core/own-addresses'
import type { Visit } from './visit'

const hostOf = (url: string) => new URL(url).host

const legacyHost = config.legacyBaseUrl === null ? null : hostOf(config.legacyBaseUrl)

/** In production a request for a name that is not ours is refused, so that no cache can be taught one. */
export function demandKnownHost(visit: Visit) {
  if (config.checkHost && !isServed(visit.request.headers.get('host') ?? '') && !visit.traits.anyHost)
    throw badRequest('This host is not served here')
}

/** Names of hosts have no case, and symbols spell ours in capitals; the usual port and a last dot change nothing either. */
const isServed = (host: string) =>
  isOurHost(host) ||
  isOurHost(host.toLowerCase().replace(/\.?(:(80|443))?$/, '')) ||
  isOurHost(host.toLowerCase())

export const isLegacyHost = (request: Request) =>
  legacyHost !== null && request.headers.get('host') === legacyHost
