import { Elysia } from 'elysia'
import { MCP_RESOURCE } from '@/core/own-addresses'
import { headers, refused } from '@/http/openapi/shared'
import { type Protocol, protocol } from '@/http/protocol'
import { PLAIN, type Traits } from '@/http/route-traits'
import { converse, endMcpSession, refuseStream } from './endpoint'
import { methodsOver, type Offer } from './methods'

const id = {
  type: ['string', 'number', 'null'],
  description: 'Chosen by the client; the response repeats it.',
}
const version = { const: '2.0' }

const CALL = {
  type: 'object',
  description: 'JSON-RPC 2.0. Without an `id` it is a notification, which gets no response.',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: version,
    id,
    method: { type: 'string', description: 'The method, such as `tools/call`.' },
    params: { type: 'object' },
  },
}

const REPLY = {
  type: 'object',
  description: 'JSON-RPC 2.0: a `result`, or an `error`.',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: version,
    id,
    result: { type: 'object', description: 'The result of the method.' },
    error: {
      type: 'object',
      description: 'Why there is no result.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'Error code of JSON-RPC or MCP.' },
        message: { type: 'string' },
        data: { description: 'More about it.' },
      },
    },
  },
}

const messages = (one: object, most?: number) => ({
  'application/json': {
    schema: { anyOf: [one, { type: 'array', items: one, minItems: 1, ...(most && { maxItems: most }) }] },
  },
})

const CONVERSE: Protocol = {
  name: 'mcp',
  summary: 'Send MCP messages',
  description:
    'JSON-RPC 2.0 over Streamable HTTP, Model Context Protocol 2025-03-26. One message, or a batch of at most ten.',
  security: [{ token: [] }, { session: [] }],
  requestBody: { required: true, content: messages(CALL, 10) },
  responses: {
    200: {
      description: 'The response, or a list of responses to a batch.',
      headers: headers(),
      content: messages(REPLY),
    },
    204: { description: 'Only notifications: no response.', headers: headers() },
    401: refused('unauthorized'),
    403: refused('forbidden'),
  },
}

const STREAM: Protocol = {
  name: 'mcpStream',
  summary: 'Always refused: there are no server-sent events',
  responses: { 400: refused('bad_request') },
}

const END: Protocol = {
  name: 'endMcpSession',
  summary: 'End a session (no effect: the server keeps no sessions)',
  responses: { 204: { description: 'Done.', headers: headers() } },
}

/** Tokens need the MCP audience. Only calls with effects are charged. */
const AGENTS: Traits = {
  ...PLAIN,
  identifies: true,
  showsBudget: true,
  resource: MCP_RESOURCE,
  namesSession: true,
}

export const mcpRoutes = (offer: Offer) =>
  new Elysia({ prefix: '/mcp', tags: ['MCP'] })
    .post(
      '',
      ...protocol(CONVERSE, converse(methodsOver(offer)), {
        ...AGENTS,
        isCounted: true,
        onlyChallenges: true,
      }),
    )
    .get('', ...protocol(STREAM, refuseStream, AGENTS))
    .delete('', ...protocol(END, endMcpSession, AGENTS))
