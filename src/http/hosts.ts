import { config } from '@/config/config'
import { badRequest } from '@/core/errors'
import { isOurHost } from '@/core/own-addresses'
import type { Visit } from './visit'

const hostOf = (url: string) => new URL(url).host

const legacyHost = config.legacyBaseUrl === null ? null : hostOf(config.legacyBaseUrl)

/** In production an unknown host is refused, so that it cannot poison a cache. */
export function demandKnownHost(visit: Visit) {
  if (config.checkHost && !isServed(visit.request.headers.get('host') ?? '') && !visit.traits.anyHost)
    throw badRequest('This host is not served here')
}

/** Host names are case-insensitive (QR codes spell ours in capitals); the default port and a trailing dot are equivalent. */
const isServed = (host: string) =>
  isOurHost(host) ||
  isOurHost(host.toLowerCase().replace(/\.?(:(80|443))?$/, '')) ||
  isOurHost(host.toLowerCase())

export const isLegacyHost = (request: Request) =>
  legacyHost !== null && request.headers.get('host') === legacyHost
