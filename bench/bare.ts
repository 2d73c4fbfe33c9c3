import type { Answer } from './answer'

// The least that Bun can do for the same answer: every ratio is measured against this.

const path = process.argv[2] as string
const { status, headers, text, base64, isFile } = (await Bun.file(path).json()) as Answer & {
  isFile: boolean
}
const bytes = text ?? (base64 === '' ? null : Buffer.from(base64, 'base64'))
if (isFile) await Bun.write(`${path}.body`, bytes ?? '')
const body = () => (isFile ? Bun.file(`${path}.body`) : bytes)
const answer = () => new Response(body(), { status, headers })

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  // Whoever is sent a body has to read it before there is anything to answer.
  fetch: (request) => (request.method === 'POST' ? request.bytes().then(answer) : answer()),
})
console.log(server.port)
