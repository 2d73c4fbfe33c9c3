import { traceHeaders } from '@/core/trace'

type Bounds = { timeoutMs: number; bytesMax: number }

/** A `fetch` with a limited time and a limited answer. Redirects are not followed: a provider's addresses are known. */
export const bounded =
  ({ timeoutMs, bytesMax }: Bounds) =>
  async (url: string | URL, options: RequestInit): Promise<Response> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
    const headers = new Headers(options.headers)
    for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value)
    const response = await fetch(url, { ...options, headers, redirect: 'manual', signal })
    const body = response.body && (await readBounded(response.body, bytesMax))
    return new Response(body, { status: response.status, headers: response.headers })
  }

export const boundedFetch = bounded({ timeoutMs: 8_000, bytesMax: 512 * 1024 })

async function readBounded(stream: ReadableStream<Uint8Array>, bytesMax: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > bytesMax) throw new Error('The provider sent too much')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer
}
