import { connect, isIPv4, isIPv6 } from 'node:net'
import { Unreachable } from './destination'

export type Letter = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
}

/** How many addresses of a host are tried. */
const ADDRESSES_MAX = 3

/**
 * Sends to the first address that accepts a connection, and to no other once the request may have been heard. All of
 * them have been vetted. Each has its share of the time until then, so that a dead one leaves some for the next.
 */
export async function sendToOneOf(
  addresses: string[],
  url: URL,
  letter: Letter,
  timeout: { signal: AbortSignal; endsAt: number },
): Promise<Response> {
  const tried = inTurn(addresses).slice(0, ADDRESSES_MAX)
  const last = tried.pop()
  if (last === undefined) throw new Unreachable('The host has no address')
  for (const [i, address] of tried.entries()) {
    const shareMs = (timeout.endsAt - performance.now()) / (tried.length + 1 - i)
    const response = await sendIfOpen(address, url, letter, timeout.signal, shareMs)
    if (response) return response
  }
  return send(last, url, letter, timeout.signal)
}

/** Many hosts have an IPv6 address and many networks no way to it: the kinds alternate, IPv4 first. */
function inTurn(addresses: string[]): string[] {
  const [v4, v6] = [addresses.filter(isIPv4), addresses.filter(isIPv6)]
  return Array.from({ length: Math.max(v4.length, v6.length) }, (_, i) => [v4[i], v6[i]])
    .flat()
    .filter((address) => address !== undefined)
}

/**
 * The answer, or undefined where no connection was made. Only then another address can be tried, and `fetch` does not
 * say whether it has one: when no answer comes for half of the time, a probe finds out whether the address accepts
 * connections at all.
 */
async function sendIfOpen(
  address: string,
  url: URL,
  letter: Letter,
  signal: AbortSignal,
  shareMs: number,
): Promise<Response | undefined> {
  const dead = new AbortController()
  let isDone = false
  const doubt = setTimeout(async () => {
    if (!(await isOpen(address, portOf(url), shareMs / 2)) && !isDone) dead.abort()
  }, shareMs / 2)
  try {
    return await send(address, url, letter, AbortSignal.any([signal, dead.signal]))
  } catch (error) {
    if ((dead.signal.aborted && !signal.aborted) || isUnconnected(error)) return undefined
    throw error
  } finally {
    isDone = true
    clearTimeout(doubt)
  }
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

const isOpen = (host: string, port: number, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port })
    const found = (open: boolean) => {
      clearTimeout(late)
      socket.destroy()
      resolve(open)
    }
    const late = setTimeout(found, timeoutMs, false)
    socket.on('connect', () => found(true)).on('error', () => found(false))
  })

function send(
  address: string,
  url: URL,
  { method, headers, body }: Letter,
  signal: AbortSignal,
): Promise<Response> {
  const target = new URL(url)
  target.hostname = isIPv6(address) ? `[${address}]` : address
  return fetch(target, {
    method,
    headers: { ...headers, host: url.host },
    body,
    redirect: 'manual',
    // The certificate must be for the name, though we dial the address.
    tls: { serverName: url.hostname },
    keepalive: false,
    decompress: false,
    // Not in the types: nothing else keeps the environment's proxy out of it.
    proxy: false,
    signal,
  } as unknown as RequestInit)
}

const UNCONNECTED =
  /ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EAFNOSUPPORT/

const isUnconnected = (error: unknown) => UNCONNECTED.test(codeOf(error))

/** Bun names what went wrong in either place. */
export const codeOf = (error: unknown) => `${(error as Error).name} ${(error as { code?: string }).code}`
