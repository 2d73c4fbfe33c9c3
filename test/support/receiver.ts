export type Received = {
  id: string
  timestamp: string
  signature: string
  body: string
  headers: Headers
  at: number
}

/** Somebody who is told things, and may answer as they please. */
export function openReceiver(
  answer: (received: Received, count: number) => Response | Promise<Response> = () => new Response('ok'),
  hostname = '127.0.0.1',
) {
  const received: Received[] = []
  const server = Bun.serve({
    hostname,
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const one = {
        id: request.headers.get('webhook-id') ?? '',
        timestamp: request.headers.get('webhook-timestamp') ?? '',
        signature: request.headers.get('webhook-signature') ?? '',
        body: await request.text(),
        headers: request.headers,
        at: Date.now(),
      }
      received.push(one)
      return answer(one, received.length)
    },
  })
  return {
    received,
    url: `http://${hostname}:${server.port}/hook`,
    port: server.port as number,
    close: () => server.stop(true),
  }
}
