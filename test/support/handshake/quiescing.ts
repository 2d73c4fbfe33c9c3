import { ignoreNewConnections } from '@/http/quiesce'

/** A server that is told by a line on standard input to take no more connections. */
const server = Bun.serve({ hostname: '10.9.0.1', port: 0, fetch: () => new Response('ok') })
console.log(server.port)
for await (const _ of console) {
  ignoreNewConnections(server.port as number)
  console.log('quiet')
}
