import { readDestination, Unreachable, vettedAddresses } from './destination'
import { codeOf, type Letter, sendToOneOf } from './dial'

export type Call = Letter & {
  url: string
  /** Whether an administrator sends it, for whom the operator's exceptions apply. */
  isAdministrators?: boolean
  timeoutMs: number
  /** The maximum of the response body to read. */
  bytesMax: number
}

export type Reply = { status: number; headers: Headers; body: Uint8Array }

/** The deadline for a slowly dripping body. */
const BODY_MS = 1000

export const postOutside = (call: Omit<Call, 'method'>): Promise<Reply> =>
  callOutside({ ...call, method: 'POST' })

/**
 * Calls an untrusted address. Resolves once and dials the vetted address; follows no redirects, ignores proxies of the
 * environment, bounds time and size. Throws `Unreachable` with a readable reason.
 */
export async function callOutside(call: Call): Promise<Reply> {
  const destination = readDestination(call.url, call.isAdministrators)
  const { url } = destination
  const endsAt = performance.now() + call.timeoutMs
  const signal = AbortSignal.timeout(call.timeoutMs)
  const addresses = await before(signal, vettedAddresses(destination))
  try {
    const response = await sendToOneOf(addresses, url, call, { signal, endsAt })
    return {
      status: response.status,
      headers: response.headers,
      body: await readSome(response, call.bytesMax),
    }
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(reasonOf(error, call.timeoutMs))
  }
}

/** The resolver has no timeout. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () =>
        reject(new Unreachable('The name of the host could not be resolved', 'unresolved')),
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
    // The body was cut off, but the status arrived and decides.
  }
  void reader.cancel().catch(() => {})
  return Buffer.concat(chunks).subarray(0, bytesMax)
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const code = codeOf(error)
  if (/Timeout|Abort/i.test(code)) return `No answer within ${timeoutMs / 1000} seconds`
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/i.test(code)) return 'The certificate of the host was not accepted'
  return 'The connection could not be made or was lost'
}
