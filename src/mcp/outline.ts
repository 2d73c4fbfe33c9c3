import type { TSchema } from '@sinclair/typebox'
import { Nothing } from '@/core/page'
import { hoist, type Json } from '@/http/openapi/schemas'

/** A short output schema: a model reads the whole tool list first. Deeper levels show in the results. */
export function outlineOf(output: TSchema): Json {
  // The envelope of an empty result is empty.
  if (output === Nothing) return { type: 'object' }
  const shape = hoist(output, null) as Json
  const isPage = shape.type === 'object' && 'pagination' in ((shape.properties as Json) ?? {})
  if (!isPage) return { type: 'object', properties: { data: outline(shape, 1) } }
  return {
    type: 'object',
    properties: { data: outline((shape.properties as Json).data as Json, 2), pagination: PAGINATION },
  }
}

const PAGINATION = {
  type: 'object',
  properties: { hasMore: { type: 'boolean' }, nextCursor: { type: 'string' } },
}

/** A short input schema: fields that are useless to a model are accepted but not listed. */
export function inlineOf(input: TSchema): Json {
  const shape = hoist(input, null) as Json
  const properties = Object.entries((shape.properties ?? {}) as Record<string, Json>)
    .filter(([name, property]) => name !== 'before' && property.deprecated !== true)
    .map(([name, { minLength, ...property }]) => [
      name,
      minLength === 1 ? property : { minLength, ...property },
    ])
  return {
    ...shape,
    properties: oneTypeEach(JSON.parse(JSON.stringify(Object.fromEntries(properties)))),
  }
}

/** Some clients convert schemas to a dialect without lists of types. */
function oneTypeEach(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(oneTypeEach)
  const { type, description, ...bounds } = node as Json
  if (Array.isArray(type))
    return { ...(description !== undefined && { description }), anyOf: orNull({ type: type[0], ...bounds }) }
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, oneTypeEach(inner)]))
}

const orNull = (schema: Json): Json[] => [schema, { type: 'null' }]

function outline(schema: Json, depth: number): Json {
  const { type } = schema
  if (type === 'array')
    return depth === 0 ? { type } : { type, items: outline((schema.items ?? {}) as Json, depth - 1) }
  if (type === 'object')
    return depth === 0 || schema.properties === undefined
      ? { type }
      : { type, properties: propertiesOf(schema, depth - 1) }
  if (Array.isArray(schema.enum)) return { enum: schema.enum }
  if (Array.isArray(type)) return { anyOf: orNull({ type: type[0] }) }
  if (Array.isArray(schema.anyOf))
    return { anyOf: (schema.anyOf as Json[]).map((member) => outline(member, depth)) }
  return type === undefined ? {} : { type }
}

const propertiesOf = (schema: Json, depth: number): Json =>
  Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => [
      name,
      outline(property, depth),
    ]),
  )
