import { toOpenAPISchema } from '@elysiajs/openapi'
import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { config } from '@/config'
import { ERRORS, type ErrorCode } from '@/core/errors'
import { Nothing } from '@/core/page'
import { describeScope, isScope, SCOPE_NAMES } from '@/core/scopes'
import { type Binding, bindingOf } from './registry'

type Json = Record<string, unknown>

const TAGS: Record<string, string> = {
  User: 'Who you are, your profile and your tokens.',
  Scopes: 'What a token may do.',

  Follows: 'Whom people follow.',
  Onboarding: 'First steps.',
  Events: 'What is on, who comes, and who is there.',
  Groups: 'Who does what together.',
  Management: 'For those with a role in a group.',
  Public: 'Without a credential.',
}

/** OpenAPI 3.1 of everything that is mounted. Routes give path, verb and status; actions give the rest. */
export function describeApi(app: AnyElysia): Json {
  const components = new Map<string, unknown>()
  const paths: Json = {}
  const tags = new Set<string>()
  for (const [path, item] of Object.entries(toOpenAPISchema(app).paths ?? {})) {
    const operations: Json = {}
    for (const [method, found] of Object.entries(
      item as Record<string, { operationId?: string; tags?: string[] }>,
    )) {
      const binding = bindingOf(found.operationId)
      if (!binding) continue
      operations[method] = operation(path, method, binding, found.tags ?? [], components)
      for (const tag of found.tags ?? []) tags.add(tag)
    }
    if (Object.keys(operations).length > 0) paths[path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Folkmoot',
      version: '1.0.0',
      description:
        'A community platform: people, groups, events, badges and passes.\n\nEvery answer is `{data}`, every list `{data, pagination}`, every refusal `{error, code}`. Authenticate with `Authorization: Bearer <token>`; a token is made at `POST /v1/profile/tokens`.',
    },
    servers: servers(),
    security: [],
    tags: [...tags].sort().map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: securitySchemes(),
      headers: HEADERS,
      responses: errorResponses(),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
    },
  }
}

function servers() {
  const known = [
    { url: config.baseUrl, description: 'This server' },
    config.legacyBaseUrl && { url: config.legacyBaseUrl, description: 'Legacy host; the same API' },
    config.authUrl !== config.baseUrl && { url: config.authUrl, description: 'Authorization server' },
    config.baseUrl !== DEVELOPMENT && { url: DEVELOPMENT, description: 'Development' },
  ]
  return known.filter(Boolean)
}

const DEVELOPMENT = 'http://localhost:3000'

function operation(
  path: string,
  method: string,
  { action, status, also }: Binding,
  tags: string[],
  components: Map<string, unknown>,
): Json {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string)
  const fields = Object.entries(action.input.properties).filter(([name]) => !inPath.includes(name))
  const hasBody = method !== 'get' && method !== 'delete' && fields.length > 0
  const authenticated = action.access !== 'none' && action.access !== 'public'
  const parameters = [
    ...inPath.map((name) => parameter('path', name, action.input.properties[name], true, components)),
    ...(hasBody
      ? []
      : fields.map(([name, schema]) =>
          parameter(
            'query',
            name,
            schema,
            isRequired(action.input, name) && schema.default === undefined,
            components,
          ),
        )),
    ...(method === 'post' && authenticated ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  return {
    operationId: action.name,
    summary: action.summary,
    ...(action.description && { description: action.description }),
    tags,
    security: security(action.access),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && {
      requestBody: {
        required: fields.some(([name]) => isRequired(action.input, name)),
        content: { 'application/json': { schema: bodySchema(action.input, inPath, components) } },
      },
    }),
    responses: responses({ action, status, also }, method, authenticated, components),
  }
}

function bodySchema(input: TSchema, inPath: string[], components: Map<string, unknown>) {
  if (inPath.length === 0) return hoist(input, components)
  const properties = Object.fromEntries(
    Object.entries(input.properties as Record<string, TSchema>).filter(([name]) => !inPath.includes(name)),
  )
  const required = ((input.required ?? []) as string[]).filter((name) => !inPath.includes(name))
  return hoist(
    { type: 'object', properties, ...(required.length > 0 && { required }) } as unknown as TSchema,
    components,
  )
}

const isRequired = (input: TSchema, name: string) => ((input.required ?? []) as string[]).includes(name)

function parameter(
  place: 'path' | 'query',
  name: string,
  schema: TSchema | undefined,
  required: boolean,
  components: Map<string, unknown>,
) {
  const { description, deprecated, ...rest } = hoist(
    schema ?? ({ type: 'string' } as unknown as TSchema),
    components,
  ) as Json
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    schema: rest,
  }
}

const security = (access: string) => {
  if (access === 'session') return [{ session: [] }]
  if (access === 'public' || access === 'none') return []
  return [{ token: [access] }, { session: [] }]
}

function responses(
  { action, status, also }: Binding,
  method: string,
  authenticated: boolean,
  components: Map<string, unknown>,
): Json {
  const codes = new Set<ErrorCode>([
    'bad_request',
    'rate_limited',
    'internal_error',
    'unavailable',
    ...(action.errors ?? []),
  ])
  if (action.access !== 'none') codes.add('unauthorized')
  if (authenticated) codes.add(isScope(action.access) ? 'insufficient_scope' : 'forbidden')
  if (method === 'post' && authenticated) codes.add('conflict')
  if (method !== 'get' && method !== 'delete') codes.add('payload_too_large')
  const answers: Json = { [status]: success(action.output, status, method, components) }
  if (also !== undefined) answers[also] = success(action.output, also, method, components)
  if (method === 'get')
    answers[304] = {
      description: 'Not modified: the `ETag` in `If-None-Match` still holds.',
      headers: headers('ETag'),
    }
  for (const code of codes)
    answers[ERRORS[code].status] = { $ref: `#/components/responses/${RESPONSE_NAMES[ERRORS[code].status]}` }
  return answers
}

function success(output: TSchema, status: number, method: string, components: Map<string, unknown>): Json {
  if (output === Nothing) return { description: 'Done; there is nothing to say.', headers: headers() }
  const isPage = 'pagination' in ((output.properties ?? {}) as object)
  const schema = isPage
    ? hoist(output, components)
    : { type: 'object', properties: { data: hoist(output, components) }, required: ['data'] }
  return {
    description: status === 201 ? 'Created.' : 'Success.',
    headers: method === 'get' ? headers('ETag') : headers(),
    content: { 'application/json': { schema } },
  }
}

/** Schemas that have a name become components; literals in a union become an enum. */
function hoist(schema: TSchema, components: Map<string, unknown>): unknown {
  const { $id, expected, ...plain } = schema as TSchema & { expected?: string }
  const inner = convert(plain, components)
  if ($id === undefined) return inner
  components.set($id, inner)
  return { $ref: `#/components/schemas/${$id}` }
}

function convert(schema: Json, components: Map<string, unknown>): unknown {
  const copy: Json = { ...schema }
  if (Array.isArray(schema.anyOf)) {
    const members = schema.anyOf as TSchema[]
    if (members.every((member) => 'const' in member))
      return { type: 'string', ...rest(schema), enum: members.map((member) => member.const) }
    const [only] = members.filter((member) => member.type !== 'null')
    // "This type or null" reads better as a pair of types, where the type is a plain one.
    if (
      members.length === 2 &&
      only &&
      typeof only.type === 'string' &&
      !only.$id &&
      only.type !== 'object' &&
      only.type !== 'array'
    )
      return { ...(hoist(only, components) as Json), ...rest(schema), type: [only.type, 'null'] }
    copy.anyOf = members.map((member) => hoist(member, components))
  }
  if (schema.items) copy.items = hoist(schema.items as TSchema, components)
  if (schema.properties)
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) => [
        name,
        hoist(property, components),
      ]),
    )
  return JSON.parse(JSON.stringify(copy))
}

const rest = ({ anyOf: _, ...others }: Json) => JSON.parse(JSON.stringify(others)) as Json

const RESPONSE_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
}

function errorResponses(): Json {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      RESPONSE_NAMES[status],
      {
        description: errors.map(([code, { when }]) => `\`${code}\`: ${when}`).join(' '),
        headers: headers(
          ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
          ...(status === 429 || status === 503 ? ['Retry-After'] : []),
        ),
        content: { 'application/json': { schema: errorSchema(errors.map(([code]) => code)) } },
      },
    ]),
  )
}

const errorSchema = (codes: string[]) => ({
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'For people.' },
    code: { type: 'string', enum: codes, description: 'For programs.' },
  },
})

const headers = (...more: string[]) =>
  Object.fromEntries(
    ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id', ...more].map(
      (name) => [name, { $ref: `#/components/headers/${name}` }],
    ),
  )

const whole = (description: string) => ({ description, schema: { type: 'integer' } })
const word = (description: string) => ({ description, schema: { type: 'string' } })

const HEADERS = {
  'X-RateLimit-Limit': whole('Requests allowed per hour.'),
  'X-RateLimit-Remaining': whole('Requests left in this window.'),
  'X-RateLimit-Reset': whole('When the window ends, in Unix seconds.'),
  'X-Request-Id': word('Mention it when you report a problem.'),
  'Retry-After': whole('Seconds to wait.'),
  ETag: word('Send it back as `If-None-Match` to be told "not modified".'),
  'WWW-Authenticate': word('What is missing: a credential, or the scope that it names.'),
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same request is answered once and replayed for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const securitySchemes = () => ({
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'fm_pat_…',
    description: `A personal access token. Scopes:\n\n${SCOPE_NAMES.map((name) => `- \`${name}\`: ${describeScope(name)}`).join('\n')}`,
  },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'The first-party browser session.' },
})
