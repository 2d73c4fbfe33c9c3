/**
 * Receivers of webhooks as nobody wants them, in a process of their own so that what they burn is theirs: one hangs,
 * one drips, one never ends, one always fails. Prints their addresses.
 */

const stream = (pull: (controller: ReadableStreamDefaultController) => void | Promise<void>) =>
  Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(new ReadableStream({ pull })) })

const hanging = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
const dripping = stream(async (controller) => {
  await Bun.sleep(1000)
  controller.enqueue(new Uint8Array(1))
})
// As fast as a line of 100 Mbit/s: a real one is not on our own machine, where it would take the databases' time.
const endless = stream(async (controller) => {
  await Bun.sleep(5)
  controller.enqueue(new Uint8Array(65_536))
})
const failing = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(null, { status: 500 }),
})
const ports = [hanging, dripping, endless, failing].map(({ port }) => port)
console.log(JSON.stringify(ports.map((port) => `http://127.0.0.1:${port}/`)))
