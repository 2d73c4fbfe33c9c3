import { connect, isIPv4, isIPv6 } from 'node:net'
import { Unreachable } from './destination'

export type Letter = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
}

const ADDRESSES_MAX = 3

/**
 * Sends to the first vetted address that accepts a connection, and to no other once the request may have been received. Each
 * address gets a share of the time, so that a dead one leaves some for the next.
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

/** Alternates IPv4 and IPv6, IPv4 first: many hosts have an IPv6 address and many networks no route to it. */
function inTurn(addresses: string[]): string[] {
  const [v4, v6] = [addresses.filter(isIPv4), addresses.filter(isIPv6)]
  return Array.from({ length: Math.max(v4.length, v6.length) }, (_, i) => [v4[i], v6[i]])
    .flat()
    .filter((address) => address !== undefined)
}

/**
 * The response, or undefined without a connection, when another address can be tried. `fetch` does not report whether it
 * connected: after half of the time without a response, a probe checks whether the address accepts connections.
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
    // The certificate must match the name, although we dial the address.
    tls: { serverName: url.hostname },
    keepalive: false,
    decompress: false,
    // Missing in the types: only this bypasses the environment's proxy.
    proxy: false,
    signal,
  } as unknown as RequestInit)
}

const UNCONNECTED =
  /ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EAFNOSUPPORT/

const isUnconnected = (error: unknown) => UNCONNECTED.test(codeOf(error))

/** Bun puts the code in either place. */
export const codeOf = (error: unknown) => `${(error as Error).name} ${(error as { code?: string }).code}`
