import { isIPv6 } from 'node:net'
import { readDestination, Unreachable, vettedAddresses } from './destination'

export type Call = {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  /** How much of the answer's body is wanted at most; the rest is left unread. */
  bytesMax: number
}

export type Reply = { status: number; headers: Headers; body: Uint8Array }

/** A body may drip: what has come after this long is all that is read. */
const BODY_MS = 1000
/** A host with many addresses is tried at some of them. */
const ADDRESSES_MAX = 3

/**
 * Posts to an address that a stranger chose. The name is resolved once and the vetted address is dialled; redirects
 * are not followed, proxies of the environment are not used, time and size are bounded. Throws `Unreachable` with
 * the reason in words.
 */
export async function postOutside(call: Call): Promise<Reply> {
  const url = readDestination(call.url)
  const signal = AbortSignal.timeout(call.timeoutMs)
  const addresses = await before(signal, vettedAddresses(url))
  for (const [i, address] of addresses.slice(0, ADDRESSES_MAX).entries())
    try {
      const response = await dial(url, address, call, signal)
      return {
        status: response.status,
        headers: response.headers,
        body: await readSome(response, call.bytesMax),
      }
    } catch (error) {
      const last = i + 1 >= Math.min(addresses.length, ADDRESSES_MAX)
      // Only a connection that was never made can be tried elsewhere: the receiver has not heard anything yet.
      if (last || !isRefused(error)) throw new Unreachable(reasonOf(error, call.timeoutMs))
    }
  throw new Unreachable('The host has no address')
}

function dial(url: URL, address: string, { headers, body }: Call, signal: AbortSignal): Promise<Response> {
  const target = new URL(url)
  target.hostname = isIPv6(address) ? `[${address}]` : address
  return fetch(target, {
    method: 'POST',
    headers: { ...headers, host: url.host },
    body,
    redirect: 'manual',
    // The certificate must be the name's, though we dial the address.
    tls: { serverName: url.hostname },
    keepalive: false,
    decompress: false,
    // Not in the types: nothing else keeps the environment's proxy out of it.
    proxy: false,
    signal,
  } as unknown as RequestInit)
}

/** The resolver has no time limit of its own. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () =>
        reject(new Unreachable('The name of the host could not be resolved')),
      )
    }),
  ])

async function readSome({ body }: Response, bytesMax: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  const late = Bun.sleep(BODY_MS).then(() => ({ done: true as const, value: undefined }))
  try {
    while (size < bytesMax) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done || !value) break
      chunks.push(value)
      size += value.byteLength
    }
  } catch {
    // The status has come, and it is what counts.
  }
  void reader.cancel().catch(() => {})
  return Buffer.concat(chunks).subarray(0, bytesMax)
}

/** Bun names what went wrong in either place. */
const codeOf = (error: unknown) => `${(error as Error).name} ${(error as { code?: string }).code}`

const isRefused = (error: unknown) => /ConnectionRefused|ECONNREFUSED|FailedToOpenSocket/.test(codeOf(error))

function reasonOf(error: unknown, timeoutMs: number): string {
  const code = codeOf(error)
  if (/Timeout|Abort/i.test(code)) return `No answer within ${timeoutMs / 1000} seconds`
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/i.test(code)) return 'The certificate of the host was not accepted'
  return 'The connection could not be made or was lost'
}
