import { isIP } from 'node:net'
import { config } from '@/config/config'
import { refusals } from '@/core/refusals'
import { isGloballyReachable, isLinkLocal } from './addresses'
import { lookUp } from './names'

/** Why nothing was sent: refused by us, unresolved (it may resolve later), or no connection. */
type Fault = 'refused' | 'unresolved' | 'unreached'

/** Why an address was not called, in words for its owner. */
export class Unreachable extends Error {
  override name = 'Unreachable'

  constructor(
    message: string,
    readonly fault: Fault = 'unreached',
  ) {
    super(message)
  }
}

const refuse = (message: string) => new Unreachable(message, 'refused')

export type Destination = {
  url: URL
  /** An internal address that the operator allowed. */
  isException: boolean
  /** Its responses are not shown. */
  isHidden: boolean
}

const URL_MAX = 2048
const RESOLVE_MS = 3000
/** Names of this machine or network. */
const INNER_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/
/** Ports of services that are no web servers. */
const OTHER_SERVICES = new Set([1433, 3306, 5432, 6379, 9200, 11_211, 27_017])
/** The setting that would allow an internal address, and for whom. */
const UNLESS = 'unless WEBHOOK_ALLOW_HOSTS names its host and an administrator made the webhook'

/**
 * Validates an untrusted URL before DNS. The operator's exceptions are for administrators only: anyone else could probe the
 * internal network.
 */
export function readDestination(text: string, isAdministrators = false): Destination {
  const url = text.length > URL_MAX || /[\s\\]/.test(text) ? null : URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse(refusals.httpsAddress)
  if (url.username || url.password) throw refuse('must not hold a user name or password')
  if (url.hash) throw refuse('must not have a fragment')
  if (names(config.webhookOpenHosts, url)) return { url, isException: true, isHidden: false }
  if (isAdministrators && names(config.webhookAllowHosts, url))
    return { url, isException: true, isHidden: true }
  demandOutside(url)
  return { url, isException: false, isHidden: false }
}

const names = (hosts: string[], url: URL) => hosts.includes(url.hostname) || hosts.includes(url.host)

function demandOutside(url: URL): void {
  if (url.protocol !== 'https:') throw refuse(`must be an https address, ${UNLESS}`)
  const port = Number(url.port || 443)
  if ((port < 1024 && port !== 443) || OTHER_SERVICES.has(port))
    throw refuse(`must use port 443 or one above 1023 that belongs to no other service, ${UNLESS}`)
  const name = nameOf(url)
  const inner = isIP(name) ? !isGloballyReachable(name) : !name.includes('.') || INNER_NAME.test(name)
  if (inner) throw refuse(`must be an address that can be reached from the internet, ${UNLESS}`)
}

/** The host as a resolver takes it: without brackets and trailing dot. */
export const nameOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

export type Resolver = (name: string) => Promise<string[]>

let resolve: Resolver = lookUp

/** For tests with names that do not exist. */
export const useResolver = (resolver: Resolver) => {
  resolve = resolver
}

/**
 * Resolves a URL once and dials exactly these addresses, so that DNS rebinding is impossible. One internal address refuses all.
 */
export async function vettedAddresses({ url, isException }: Destination): Promise<string[]> {
  const name = nameOf(url)
  const found = isIP(name) ? [name] : await inTime(resolve(name).catch(() => []))
  if (found.length === 0) throw new Unreachable('The name of the host could not be resolved', 'unresolved')
  if (!isException && !found.every(isGloballyReachable))
    throw refuse(`The host is not one that can be reached from the internet, ${UNLESS}`)
  // Metadata services reveal secrets to any caller, so allowing a host name does not open them.
  if (!config.webhookAllowLinkLocal && found.some(isLinkLocal))
    throw refuse(
      'The host is link-local or serves metadata of the machine, unless WEBHOOK_ALLOW_LINK_LOCAL=yes',
    )
  return found
}

/** The resolver keeps retrying a silent server. */
const inTime = (found: Promise<string[]>): Promise<string[]> =>
  Promise.race([found, Bun.sleep(RESOLVE_MS).then(() => [])])
