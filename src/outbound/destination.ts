import { isIP } from 'node:net'
import { config } from '@/config/config'
import { isGloballyReachable, isLinkLocal } from './addresses'
import { lookUp } from './names'

/**
 * Why nothing was sent: we refused the address, its name does not resolve (it may later), or no connection was made.
 */
type Fault = 'refused' | 'unresolved' | 'unreached'

/** Why an address was not called, in words for the person who gave it. */
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

/** Where something may be sent. */
export type Destination = {
  url: URL
  /** An inner address that the operator opened. */
  isException: boolean
  /** Its answers are shown to nobody. */
  isHidden: boolean
}

const URL_MAX = 2048
const RESOLVE_MS = 3000
/** Names that mean this machine or this network. */
const INNER_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/
/** Ports of services that are no web servers and should not hear from us. */
const OTHER_SERVICES = new Set([1433, 3306, 5432, 6379, 9200, 11_211, 27_017])
/** The setting that would open an inner address, and for whom. */
const UNLESS = 'unless WEBHOOK_ALLOW_HOSTS names its host and an administrator made the webhook'

/**
 * Checks a URL that came from outside before anything is looked up. Exceptions of the operator's are open to
 * administrators alone: anyone else could find out what is inside.
 */
export function readDestination(text: string, isAdministrators = false): Destination {
  const url = text.length > URL_MAX || /[\s\\]/.test(text) ? null : URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('must be an https address')
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

/** The host as a resolver takes it: without brackets and without the final dot of a full name. */
export const nameOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

export type Resolver = (name: string) => Promise<string[]>

let resolve: Resolver = lookUp

/** Tests answer for names that do not exist. */
export const useResolver = (resolver: Resolver) => {
  resolve = resolver
}

/**
 * The addresses behind a URL, looked up once: they are dialled as they are, so nobody can give another answer in
 * between. One address inside is enough to refuse them all.
 */
export async function vettedAddresses({ url, isException }: Destination): Promise<string[]> {
  const name = nameOf(url)
  const found = isIP(name) ? [name] : await inTime(resolve(name).catch(() => []))
  if (found.length === 0) throw new Unreachable('The name of the host could not be resolved', 'unresolved')
  if (!isException && !found.every(isGloballyReachable))
    throw refuse(`The host is not one that can be reached from the internet, ${UNLESS}`)
  // Metadata services tell secrets at these addresses to any caller, so a host's name alone does not open them.
  if (!config.webhookAllowLinkLocal && found.some(isLinkLocal))
    throw refuse(
      'The host is link-local or serves metadata of the machine, unless WEBHOOK_ALLOW_LINK_LOCAL=yes',
    )
  return found
}

/** The resolver asks a silent server again and again. */
const inTime = (found: Promise<string[]>): Promise<string[]> =>
  Promise.race([found, Bun.sleep(RESOLVE_MS).then(() => [])])
