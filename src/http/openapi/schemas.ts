import type { TSchema } from '@sinclair/typebox'
import { meaningOf } from '@/core/field-words'

export type Json = Record<string, unknown>

/** Named schemas, found on the way. */
export type Components = Map<string, unknown>

/** Schemas that have a name become components, or stay where they are without any; literals in a union become an enum. */
export function hoist(schema: TSchema, components: Components | null): unknown {
  const { $id, expected, ...plain } = schema as TSchema & { expected?: string }
  const inner = convert(plain, components)
  if ($id === undefined || components === null) return inner
  components.set($id, inner)
  return { $ref: `#/components/schemas/${$id}` }
}

function convert(schema: Json, components: Components | null): unknown {
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
    // The words about "this or null" stand where those about this alone would.
    if (only?.description !== undefined) copy.description ??= only.description
  }
  if (schema.items) copy.items = hoist(schema.items as TSchema, components)
  if (schema.properties) {
    const properties = Object.entries(schema.properties as Record<string, TSchema>)
    copy.properties = Object.fromEntries(
      properties.map(([name, property]) => [
        name,
        described(name, hoist(leftOut(name, property), components) as Json),
      ]),
    )
    const defaults = properties.filter(([, property]) => property.default !== undefined).map(([name]) => name)
    const required = ((schema.required ?? []) as string[]).filter((name) => !defaults.includes(name))
    copy.required = required.length > 0 ? required : undefined
  }
  return JSON.parse(JSON.stringify(copy))
}

/** A default is told in words: generators take a property with the keyword for one that is always there. */
function leftOut(name: string, { default: value, ...property }: TSchema): TSchema {
  if (value === undefined) return property as TSchema
  const what = `${JSON.stringify(value)} when left out.`
  const meaning = property.description ?? meaningOf(name, false)
  return { ...property, description: meaning ? `${meaning} ${what}` : what } as TSchema
}

/** A field that says nothing of itself means what its name means everywhere. */
export function described<S extends Json>(name: string, schema: S): S {
  const meaning = schema.description === undefined ? meaningOf(name, isNullable(schema)) : undefined
  return meaning === undefined ? schema : { description: meaning, ...schema }
}

const isNullable = ({ type, anyOf = [] }: Json) =>
  (Array.isArray(type) && type.includes('null')) || (anyOf as Json[]).some((member) => member.type === 'null')

/** The same for every field of a document that is not made of our schemas, such as those of OAuth. */
export function describedWithin(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(describedWithin)
  const copy: Json = Object.fromEntries(
    Object.entries(node).map(([name, inner]) => [name, describedWithin(inner)]),
  )
  if (typeof copy.in === 'string' && typeof copy.name === 'string') return described(copy.name, copy)
  if (typeof copy.properties === 'object' && [copy.type].flat().includes('object'))
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties as Record<string, Json>).map(([name, property]) => [
        name,
        described(name, property),
      ]),
    )
  return copy
}

const rest = ({ anyOf: _, ...others }: Json) => JSON.parse(JSON.stringify(others)) as Json
