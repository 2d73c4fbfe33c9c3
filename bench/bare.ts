import type { Answer } from './answer'

// The least that Bun can do for the same answer: every ratio is measured against this.

const { status, headers, text, base64 } = (await Bun.file(process.argv[2] as string).json()) as Answer
const body = text ?? (base64 === '' ? null : Buffer.from(base64, 'base64'))

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  fetch: () => new Response(body, { status, headers }),
})
console.log(server.port)
