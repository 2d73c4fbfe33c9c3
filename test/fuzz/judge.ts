import { sql } from 'drizzle-orm'
import { app } from '@/app'
import { db } from '@/db/client'
import { isPage } from '@/web/page'
import type { Answer } from '../support/api'
import { breach } from './conforms'
import type { Operation, Schema } from './operations'
import type { Sent } from './request'

/** Insides that an answer must not show. What people write themselves holds none of these words. */
const INSIDES =
  /failed query|syntax error at|violates|constraint "|relation "|column "|node_modules|\.tsx?:\d|\.m?js:\d|^\s+at |\bat \w+ \(|\/src\/|\/tmp\/|\/home\/|drizzle|elysia|typebox|ioredis|bullmq|postgres|ECONN|SQLSTATE|secret_key|DATABASE_URL/im

/** Names that only a statement or a complaint of the database holds. */
async function namesOfTheDatabase(): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select conname as name from pg_constraint where connamespace = 'public'::regnamespace
    union select indexname from pg_indexes where schemaname = 'public'
    union select tgname from pg_trigger where not tgisinternal
    union select tablename from pg_tables where schemaname = 'public' and tablename like '%\\_%'`)
  return rows.map(({ name }) => name).filter((name) => name.includes('_'))
}

const REFUSAL: Schema = {
  type: 'object',
  required: ['error', 'code'],
  properties: { error: { type: 'string' }, code: { type: 'string' } },
}

/** What Bun says by itself, before a request is one: headers of more than 16 KiB. */
const BEFORE_US = 431

/** A key may hold slashes: what takes one takes every path below it. */
const OPEN_END = 'DELETE /v1/uploads/{key}'

/** Pages are for people and stand in no description, also at the address of a form that does. */
const pages = new Set(
  app.routes
    .filter(({ handler }) => isPage(handler))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
)

export type Judge = (operation: Operation, sent: Sent, answer: Answer) => string | undefined

/** Tells what is wrong with an answer; nothing when it is one that the operation declares. */
export async function makeJudge(operations: Operation[], schemas: Record<string, Schema>): Promise<Judge> {
  const ofDatabase = new RegExp((await namesOfTheDatabase()).map((name) => `\\b${name}\\b`).join('|'))
  const known = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  const patterns = [...known].map(([name, operation]) => ({ pattern: patternOf(name), operation }))
  /** What a path without this method is to another that has it: `PATCH /v1/meetpass/qr` is a change of a pass. */
  const takenBy = (method: string, path: string) =>
    patterns.find(({ pattern }) => pattern.test(`${method} ${path.split('?')[0]}`))?.operation

  return ({ path }, { method, path: sentTo }, { status, headers, text }) => {
    if (status >= 500) return `answered with ${status}`
    const shown = `${[...headers].map((header) => header.join(': ')).join('\n')}\n${text}`
    const leak = INSIDES.exec(shown) ?? ofDatabase.exec(shown)
    if (leak) return `shows "${leak[0]}"`
    if (status === BEFORE_US && text === '') return undefined
    const verb = method === 'HEAD' ? 'GET' : method
    const operation = known.get(`${verb} ${path}`) ?? takenBy(verb, sentTo)
    if (operation === undefined)
      return pages.has(`${verb} ${path}`)
        ? judgePage(status, headers, text)
        : judgeNobody(method, status, text)
    const response = operation.responses[status]
    if (response === undefined) return `does not declare ${status}`
    if (method === 'HEAD' || response.content === undefined)
      return text === '' ? undefined : `has a body with ${status}`
    const mediaType = headers.get('content-type')?.split(';')[0] ?? ''
    const schema = (response.content[mediaType] ?? response.content['*/*'])?.schema
    if (schema === undefined) return `does not declare ${mediaType || 'a body without a type'} for ${status}`
    return mediaType.includes('json') ? breach(parse(text), schema, schemas) : undefined
  }
}

const patternOf = (name: string) =>
  new RegExp(
    `^${name
      .split(/\{\w+\}/)
      .map(RegExp.escape)
      .join(name === OPEN_END ? '.+' : '[^/]+')}$`,
  )

function judgePage(status: number, headers: Headers, text: string): string | undefined {
  if (status === 303 || headers.get('content-type')?.startsWith('text/html')) return undefined
  return breach(parse(text), REFUSAL, {})
}

/** A method that the path does not have. */
function judgeNobody(method: string, status: number, text: string): string | undefined {
  if (method === 'OPTIONS' && status === 204) return undefined
  if (status !== 404 && status !== 429) return `has no ${method} and answered with ${status}`
  return method === 'HEAD' ? undefined : breach(parse(text), REFUSAL, {})
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
