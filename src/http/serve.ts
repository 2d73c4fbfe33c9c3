import { type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { demandSameSite } from '@/auth/csrf'
import { config } from '@/config'
import type { Action } from '@/core/action'
import { type Caller, demand } from '@/core/caller'
import { type ErrorCode, invalid, isAppError } from '@/core/errors'
import { Nothing } from '@/core/page'
import { projector } from '@/core/project'
import { readJson } from './body'
import { guess } from './guesses'
import { runOnce } from './idempotency'
import { register } from './registry'
import { respond, respondJson } from './respond'
import type { Visit } from './visit'

type Options = {
  /** The status of success; 200 unless something is created (201) or nothing is said (204). */
  status?: number
  /** Another status for a result that says that it was so already. */
  also?: { status: number; when: (result: Json) => boolean }
  /** The path holds a code that somebody may be guessing: an address may be wrong so often and no more. */
  guesses?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a result is whatever its action says; the predicate knows which.
type Json = any

type Context = { visit: Visit; route: string; params?: Record<string, string> }

/**
 * Binds an action to a path and a verb. From the action come the 401 and 403, the reading of the input, the
 * envelope of the answer and the documentation; a route adds nothing but its status.
 */
export function serve(
  action: Action,
  { status = action.output === Nothing ? 204 : 200, also, guesses = false }: Options = {},
) {
  const render = renderer(action.output)
  const secretHeaders = action.secret ? { 'cache-control': 'no-store' } : undefined

  const handler = async ({ visit, route, params }: Context) => {
    const { request } = visit
    visit.route = route
    const caller = demand(visit.visitor, action.access)
    if (caller?.credential.kind === 'session') demandSameSite(request)
    const input = await readInput(action, visit, params)
    const once = caller && request.method === 'POST' ? runOnce(request, caller, input) : undefined
    const run = () => action.run(once ? { ...(caller as Caller), once } : visit.visitor, input)
    const result = guesses ? guess(request, run) : run()
    const value =
      result instanceof Promise ? await (config.mode === 'test' ? declared(action, result) : result) : result
    return status === 204
      ? respond(visit, 204, null)
      : respondJson(visit, also?.when(value) ? also.status : status, render(value), secretHeaders)
  }

  return [handler, { parse: 'none' as const, detail: register(action, status, also?.status) }] as const
}

const ALWAYS = new Set<ErrorCode>([
  'validation_error',
  'bad_request',
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'rate_limited',
  'unavailable',
])

/** Tests fail on a refusal that the documentation does not know of. */
const declared = <T>(action: Action, result: Promise<T>): Promise<T> =>
  result.catch((error) => {
    if (
      isAppError(error) &&
      !ALWAYS.has(error.appCode) &&
      !action.errors?.includes(error.appCode) &&
      !/Idempotency-Key|shown only once/.test(error.message)
    )
      throw new Error(`${action.name} does not declare ${error.appCode}`)
    throw error
  })

/** Strips what the schema does not name, so that a leak needs two mistakes. */
function renderer(output: TSchema): (value: unknown) => unknown {
  if (output === Nothing) return () => undefined
  const isPage = output.type === 'object' && 'pagination' in (output.properties ?? {})
  const envelope = isPage ? output : Type.Object({ data: output })
  const project = projector(envelope)
  // Tests also hold every answer against its schema; in production a wrong type is no reason to fail.
  const check = config.mode === 'test' ? TypeCompiler.Compile(envelope) : undefined
  return (value) => {
    const answer = project(isPage ? value : { data: value })
    if (check && !check.Check(JSON.parse(JSON.stringify(answer))))
      throw new Error(`answer does not fit its schema: ${check.Errors(answer).First()?.path}`)
    return answer
  }
}

async function readInput(
  action: Action,
  visit: Visit,
  params: Record<string, string> | undefined,
): Promise<unknown> {
  const { request } = visit
  const carriesBody = request.method !== 'GET' && request.method !== 'DELETE' && request.method !== 'HEAD'
  const body = carriesBody ? await readJson(request) : undefined
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw invalid('The body must be an object')
  const query = readQuery(action, request.url)
  if (!params && !query) return body ?? {}
  return { ...query, ...body, ...params }
}

/** Text of the query becomes what the schema says: numbers, booleans, comma lists. */
function readQuery(action: Action, url: string): Record<string, unknown> | undefined {
  const start = url.indexOf('?')
  if (start === -1) return undefined
  const properties = action.input.properties
  const query: Record<string, unknown> = {}
  for (const [name, text] of new URLSearchParams(url.slice(start + 1))) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema === undefined) continue
    if (name in query) throw invalid(`${name} may be given once`)
    query[name] = coerce(schema, text)
  }
  return query
}

function coerce(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number')
    return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (schema.type === 'array') return text.split(',')
  return text
}
