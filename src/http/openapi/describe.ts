import { toOpenAPISchema } from '@elysiajs/openapi'
import type { AnyElysia } from 'elysia'
import { config } from '@/config/config'
import { API_VERSION } from '@/core/version'
import { type Protocol, protocolOf } from '../protocol'
import { bindingOf } from '../registry'
import type { Traits } from '../route-traits'
import { addExamples } from './examples'
import { operation } from './operation'
import { type Components, describedWithin, type Json } from './schemas'
import {
  errorResponses,
  HEADERS,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  orOnPage,
  refused,
  securitySchemes,
} from './shared'
import { describeWebhooks } from './webhooks'

const TAGS: Record<string, string> = {
  Uploads: 'Files that people send, and the pictures of everything.',
  User: 'Who you are, your profile and your tokens.',
  Scopes: 'What a token may do.',

  Follows: 'Whom people follow.',
  Onboarding: 'First steps.',
  Feeds: 'Calendars and news to subscribe to.',
  Events: 'What is on, who comes, and who is there.',
  Groups: 'Who does what together.',
  Management: 'For those with a role in a group.',
  MCP: 'For AI agents.',
  OAuth: 'How an application gets a token: discovery, registration, authorization, tokens.',
  Developer: 'Applications and webhooks.',
  Badges: 'What people can earn, and who did.',
  Claims: 'Badges by link, and groups by invitation.',
  Leaderboards: 'Who is ahead, and who is on the way up.',
  Administration: 'For administrators. Every change is written to the audit log.',
  MeetPass: 'Passes that people tap and scan, and who met whom.',
  Public: 'Without a credential.',
}

/** OpenAPI 3.1 of all mounted routes. Routes give path, verb and status; actions give the rest. */
export function describeApi(app: AnyElysia): Json {
  const components: Components = new Map()
  const paths: Json = {}
  const tags = new Set<string>()
  // By default paths with a dot count as files.
  for (const [path, item] of Object.entries(toOpenAPISchema(app, { staticFile: false }).paths ?? {})) {
    const operations: Json = {}
    let shown = path
    for (const [method, found] of Object.entries(
      item as Record<string, { operationId?: string; tags?: string[] }>,
    )) {
      const binding = bindingOf(found.operationId)
      const spoken = protocolOf(found.operationId)
      const rest = binding?.rest ?? spoken?.rest
      if (rest !== undefined) shown = path.replace('*', `{${rest}}`)
      if (spoken?.shownAs !== undefined) shown = spoken.shownAs
      if (binding) operations[method] = operation(shown, method, binding, found.tags ?? [], components)
      else if (spoken) operations[method] = spokenOperation(spoken, found.tags ?? [])
      else continue
      for (const tag of found.tags ?? []) tags.add(tag)
    }
    if (Object.keys(operations).length > 0) paths[shown] = operations
  }
  return addExamples({
    openapi: '3.1.0',
    info: {
      title: 'Folkmoot',
      version: API_VERSION,
      description:
        'A community platform: people, groups, events, badges and passes.\n\nEvery answer is `{data}`, every list `{data, pagination}`, every error `{error, code}`. Authenticate with `Authorization: Bearer <token>`; create a token at `POST /v1/profile/tokens`.\n\nUnknown body properties and query parameters are ignored; `X-Ignored-Parameters` lists the ignored parameters.\n\nGuides are at `/docs/guides`.',
    },
    servers: servers(),
    security: [],
    tags: [...tags].sort().map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: securitySchemes(),
      headers: HEADERS,
      responses: errorResponses(),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, IfMatch: IF_MATCH },
    },
  })
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

/** One verb of a protocol such as OAuth, with its own schemas. The errors of admission are common to all. */
const spokenOperation = (
  { name, security = [], responses, traits, rest: _, shownAs: __, ...rest }: Protocol & { traits: Traits },
  tags: string[],
): Json => {
  const all = Object.entries({
    400: refused('bad_request'),
    ...(rest.requestBody && { 413: refused('payload_too_large') }),
    ...(traits.isCounted && { 429: refused('rate_limited') }),
    500: refused('internal_error'),
    503: refused('unavailable'),
    ...responses,
  })
  return describedWithin({
    operationId: name,
    tags,
    security,
    ...rest,
    responses: traits.forPeople
      ? Object.fromEntries(all.map(([status, response]) => [status, orOnPage(response)]))
      : Object.fromEntries(all),
  }) as Json
}
