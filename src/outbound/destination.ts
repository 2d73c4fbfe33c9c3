import { isIP } from 'node:net'
import { config } from '@/config'
import { isGloballyReachable } from './addresses'
import { lookUp } from './names'

/** Why we will not call an address, in words for whoever gave it. */
export class Unreachable extends Error {
  override name = 'Unreachable'

  constructor(
    message: string,
    /** The name may come to mean something later. */
    readonly isUnresolved = false,
  ) {
    super(message)
  }
}

const URL_MAX = 2048
const RESOLVE_MS = 3000
/** Names that mean this machine or this network. */
const INNER_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/
/** Where web servers are; on the others somebody else listens, who should not hear from us. */
const OTHER_SERVICES = new Set([1433, 3306, 5432, 6379, 9200, 11_211, 27_017])

/** What a URL that came from outside must look like before anything is looked up. */
export function readDestination(text: string): URL {
  const url = text.length > URL_MAX || /[\s\\]/.test(text) ? null : URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Unreachable('must be an https address')
  if (url.username || url.password) throw new Unreachable('must not hold a user name or password')
  if (url.hash) throw new Unreachable('must not have a fragment')
  if (isException(url)) return url
  if (url.protocol !== 'https:') throw new Unreachable('must be an https address')
  const port = Number(url.port || 443)
  if ((port < 1024 && port !== 443) || OTHER_SERVICES.has(port))
    throw new Unreachable('must use port 443 or one above 1023 that belongs to no other service')
  const name = nameOf(url)
  const inner = isIP(name) ? !isGloballyReachable(name) : !name.includes('.') || INNER_NAME.test(name)
  if (inner) throw new Unreachable('must be an address that can be reached from the internet')
  return url
}

/** Hosts that the operator opened on purpose: receivers inside, and those of tests. */
export const isException = (url: URL) =>
  config.webhookAllowHosts.includes(url.hostname) || config.webhookAllowHosts.includes(url.host)

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
export async function vettedAddresses(url: URL): Promise<string[]> {
  const name = nameOf(url)
  const found = isIP(name) ? [name] : await inTime(resolve(name).catch(() => []))
  if (found.length === 0) throw new Unreachable('The name of the host could not be resolved', true)
  if (!isException(url) && !found.every(isGloballyReachable))
    throw new Unreachable('The host is not one that can be reached from the internet')
  return found
}

/** The resolver asks a silent server again and again. */
const inTime = (found: Promise<string[]>): Promise<string[]> =>
  Promise.race([found, Bun.sleep(RESOLVE_MS).then(() => [])])
