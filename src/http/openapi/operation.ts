import type { TSchema } from '@sinclair/typebox'
import { ERRORS, type ErrorCode } from '@/core/errors'
import { Nothing } from '@/core/page'
import { isScope } from '@/core/scopes'
import type { Binding } from '../registry'
import { type Components, described, hoist, type Json } from './schemas'
import { headers, NOT_MODIFIED, refused } from './shared'

export function operation(
  path: string,
  method: string,
  { action, status, also }: Binding,
  tags: string[],
  components: Components,
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
          parameter('query', name, schema, isRequired(action.input, name), components),
        )),
    ...(method === 'post' && authenticated ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isConditional(method) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
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

function bodySchema(input: TSchema, inPath: string[], components: Components) {
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

/** Whether a change accepts `If-Match`. */
const isConditional = (method: string) => method === 'patch' || method === 'put' || method === 'delete'

/** A field with a default is optional. */
const isRequired = (input: TSchema, name: string) =>
  ((input.required ?? []) as string[]).includes(name) && input.properties[name].default === undefined

export function parameter(
  place: 'path' | 'query',
  name: string,
  schema: TSchema | undefined,
  required: boolean,
  components: Components,
) {
  const { description, deprecated, ...rest } = described(
    name,
    hoist(schema ?? ({ type: 'string' } as unknown as TSchema), components) as Json,
  )
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
  components: Components,
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
  if (isConditional(method)) codes.add('precondition_failed')
  if (method !== 'get' && method !== 'delete') codes.add('payload_too_large')
  const answers: Json = { [status]: success(action.output, status, method, components) }
  if (also !== undefined) answers[also] = success(action.output, also, method, components)
  if (method === 'get') answers[304] = NOT_MODIFIED
  for (const code of codes) answers[ERRORS[code].status] = refused(code)
  return answers
}

function success(output: TSchema, status: number, method: string, components: Components): Json {
  if (output === Nothing) return { description: 'Done. No content.', headers: headers() }
  const isPage = 'pagination' in ((output.properties ?? {}) as object)
  const schema = isPage
    ? hoist(output, components)
    : {
        type: 'object',
        properties: { data: described('data', hoist(output, components) as Json) },
        required: ['data'],
      }
  return {
    description: status === 201 ? 'Created.' : 'Success.',
    headers: method === 'get' ? headers('ETag', 'X-Ignored-Parameters') : headers('X-Ignored-Parameters'),
    content: { 'application/json': { schema } },
  }
}
