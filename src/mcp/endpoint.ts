import { demandSameSite, OWN_ORIGINS } from '@/auth/csrf'
import { whyUnknown } from '@/core/caller'
import { badRequest, forbidden } from '@/core/errors'
import { takeBudget } from '@/http/admission'
import { readBytes } from '@/http/body'
import { JSON_HEADERS, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import {
  BATCH_MAX,
  bodyOf,
  type Call,
  FAULTS,
  failed,
  idOf,
  type Reply,
  readMessage,
  textOf,
} from './jsonrpc'

const UTF8 = new TextDecoder('utf-8', { fatal: true })
const JSON_CONTENT = /^application\/json\s*(;|$)/i

type Perform = (visit: Visit, call: Call, isBatch: boolean) => Promise<Reply | undefined>

/** The endpoint for agents: stateless JSON-RPC. */
export const converse =
  (perform: Perform) =>
  async (visit: Visit): Promise<Response> => {
    demandCredential(visit)
    demandOrigin(visit.request)
    const body = parsed(await readMessages(visit.request))
    if (body === undefined) return reply(visit, failed(null, FAULTS.parse))
    if (Array.isArray(body)) return converseInBatch(perform, visit, body)
    return reply(visit, await answer(perform, visit, body, false))
  }

async function converseInBatch(perform: Perform, visit: Visit, messages: unknown[]): Promise<Response> {
  if (messages.length === 0 || messages.length > BATCH_MAX) return reply(visit, failed(null, FAULTS.batch))
  // A batch costs its number of calls; the first is already charged.
  await takeBudget(visit, messages.length - 1)
  const replies: Reply[] = []
  // Sequential, because a later call may depend on an earlier one.
  for (const message of messages) {
    const one = await answer(perform, visit, message, true)
    if (one !== undefined) replies.push(one)
  }
  return reply(visit, replies.length > 0 ? replies : undefined)
}

export function refuseStream(): never {
  throw badRequest('Server-sent events are not supported: send a POST')
}

/** Nothing to end: a session here is only an id that we echo. */
export const endMcpSession = (visit: Visit): Response => respond(visit, 204, null)

function demandCredential({ visitor, request }: Visit): void {
  if (typeof visitor === 'string') throw whyUnknown(visitor, '/mcp')
  if (visitor.credential.kind === 'session') demandSameSite(request)
}

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** DNS rebinding: a stranger's page may resolve to this machine, but its browser still sends its origin. */
function demandOrigin({ headers }: Request): void {
  const origin = headers.get('origin')
  if (origin === null || LOOPBACK.test(origin)) return
  if (!OWN_ORIGINS.includes(origin)) throw forbidden('Agents may not be called from this origin')
}

function readMessages(request: Request): Promise<Uint8Array> {
  if (!JSON_CONTENT.test(request.headers.get('content-type') ?? ''))
    throw badRequest('Send the body as application/json')
  return readBytes(request)
}

/** Undefined if it is no JSON. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    return undefined
  }
}

async function answer(perform: Perform, visit: Visit, message: unknown, isBatch: boolean) {
  const call = readMessage(message)
  if (call === 'invalid') return failed(idOf(message), FAULTS.request)
  return call === 'answer' ? undefined : perform(visit, call, isBatch)
}

function reply(visit: Visit, replies: Reply | Reply[] | undefined): Response {
  if (replies === undefined) return respond(visit, 204, null)
  const body = Array.isArray(replies) ? `[${replies.map(textOf).join(',')}]` : bodyOf(replies)
  return respond(visit, 200, body, JSON_HEADERS)
}
