import type { Random } from '../support/random'
import { BODIES, CREDENTIALS, FIELDS, HEADERS, QUERIES, SEGMENTS, VALUES } from './hostile'
import type { Operation, Schema } from './operations'
import { sample } from './sample'
import type { Actor, Kind, Names, World } from './world'

export type Sent = {
  caller: Kind | 'anonymous' | 'bad credential'
  actor?: Actor
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** What answers have told: names of things by the segment that they follow, with those who know them; cursors by list. */
export type Found = { things: Map<string, { name: string; actor?: Actor }[]>; cursors: Map<string, string[]> }

const CALLERS: Sent['caller'][] = [
  ...Array(6).fill('administrator'),
  ...Array(5).fill('organiser'),
  ...Array(3).fill('member'),
  ...Array(3).fill('session'),
  ...Array(2).fill('application'),
  'anonymous',
  'bad credential',
]

/** One request to an operation: any of its parts may be hostile, and often none is, so that it gets far. */
export function composeRequest(
  operation: Operation,
  schemas: Record<string, Schema>,
  { actors, names }: World,
  { things, cursors }: Found,
  dice: Random,
): Sent {
  const { pick, chance } = dice
  const caller = pick(CALLERS) as Sent['caller']
  const isKnown = caller !== 'anonymous' && caller !== 'bad credential'
  let actor = isKnown ? pick(actors[caller]) : undefined

  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string, place: number) => {
    if (chance(0.12)) return pick(SEGMENTS) as string
    const before = operation.path.slice(0, place)
    // What lies inside of something has to be sought inside of that one.
    const isLast = !operation.path.includes('{', place + 1)
    const found = chance(isLast ? 0.4 : 0.05)
      ? pick(things.get(before.split('/').at(-2) as string) ?? [])
      : undefined
    // Things are used by those who have them, mostly.
    if (found?.actor && isKnown && chance(0.8)) actor = found.actor
    const known = found?.name ?? pick(names[before] ?? names[name] ?? []) ?? 'nobody'
    return encodeURIComponent(chance(0.03) ? known.toUpperCase() : known)
  })

  const headers: Record<string, string> = { ...actor?.headers }
  if (caller === 'bad credential') headers.authorization = pick(CREDENTIALS) as string
  const method = composeMethod(operation, dice)
  const { body, mediaType } = composeBody(operation, method, schemas, names, dice)
  if (mediaType !== undefined) headers['content-type'] = mediaType
  if (chance(0.15)) Object.assign(headers, pick(HEADERS))
  return { caller, actor, method, path: path + composeQuery(), headers, body }

  function composeQuery(): string {
    if (chance(0.15)) return `?${pick(QUERIES)}`
    const parts = operation.query
      .filter(({ required }) => chance(required ? 0.95 : 0.25))
      .map(({ name, schema }) => {
        const isCursor = name === 'cursor' || name === 'before'
        const known = isCursor ? cursors.get(operation.path) : names[`?${name}`]
        const own = operation.path === '/v1/profile' ? actor?.username : undefined
        const value = chance(0.12)
          ? pick(VALUES)
          : (own ?? pick(known ?? []) ?? sample(schema, schemas, dice, name))
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        return `${name}=${encodeURIComponent(text.toWellFormed().slice(0, 3000))}`
      })
    return parts.length > 0 ? `?${parts.join('&')}` : ''
  }
}

/** Another method than its own now and then. */
const composeMethod = ({ method }: Operation, { pick, chance }: Random): string =>
  chance(0.03) ? (pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) as string) : method

function composeBody(
  { body }: Operation,
  method: string,
  schemas: Record<string, Schema>,
  names: Names,
  dice: Random,
) {
  const { pick, chance } = dice
  if (method === 'GET' || method === 'HEAD' || (body === undefined && !chance(0.1))) return {}
  if (body === undefined || chance(0.2)) {
    const [mediaType, bytes] = pick(BODIES) as (typeof BODIES)[number]
    return { mediaType, body: bytes }
  }
  // Alone, a bad field meets what a good one beside it would hide.
  const fields = (chance(0.15) ? {} : sample(body.schema, schemas, dice)) as Record<string, unknown>
  const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
  const known = Object.keys(resolve(body.schema, schemas).properties ?? {})
  for (const name of isObject ? known : [])
    if (names[`=${name}`] && chance(0.8)) fields[name] = pick(names[`=${name}`] as string[])
  if (isObject && chance(0.5)) {
    const name = (chance(0.75) ? pick(known) : pick(FIELDS)) ?? 'a'
    Object.defineProperty(fields, name, { value: pick(VALUES), enumerable: true, configurable: true })
  }
  if (body.mediaType === 'application/json')
    return { mediaType: body.mediaType, body: JSON.stringify(fields) }
  const form = Object.entries(fields).map(
    ([name, value]) =>
      [name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)] as [string, string],
  )
  return { mediaType: body.mediaType, body: new URLSearchParams(form).toString() }
}

const resolve = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)]
