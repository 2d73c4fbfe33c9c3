import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { headers } from '@/http/openapi/shared'
import { type Protocol, protocol } from '@/http/protocol'
import { converse, endSession, refuseStream } from './endpoint'

const message = { 'application/json': { schema: {} } }
const refused = (name: string) => ({ $ref: `#/components/responses/${name}` })

const CONVERSE: Protocol = {
  name: 'mcp',
  summary: 'Talk to the server as an agent',
  description:
    'JSON-RPC 2.0 over Streamable HTTP, Model Context Protocol 2025-03-26. One message, or a batch of at most ten.',
  security: [{ token: [] }, { session: [] }],
  requestBody: { required: true, content: message },
  responses: {
    200: { description: 'The answer, or the answers of a batch.', headers: headers(), content: message },
    204: { description: 'There was nothing to answer.', headers: headers() },
    400: refused('BadRequest'),
    401: refused('Unauthorized'),
    403: refused('Forbidden'),
    413: refused('PayloadTooLarge'),
    429: refused('RateLimited'),
  },
}

const STREAM: Protocol = {
  name: 'mcpStream',
  summary: 'Always refused: there are no server-sent events',
  responses: { 400: refused('BadRequest') },
}

const END: Protocol = {
  name: 'endMcpSession',
  summary: 'End a session, of which nothing is kept',
  responses: { 204: { description: 'Done.', headers: headers() }, 429: refused('RateLimited') },
}

export const mcpRoutes = new Elysia({ prefix: '/mcp', tags: ['MCP'] })
  .use(front)
  .post('', ...protocol(CONVERSE, converse))
  .get('', ...protocol(STREAM, refuseStream))
  .delete('', ...protocol(END, endSession))
