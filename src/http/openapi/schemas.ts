import type { TSchema } from '@sinclair/typebox'
import { meaningOf } from '@/core/field-words'

export type Json = Record<string, unknown>

export type Components = Map<string, unknown>

/** Turns named schemas into components, or inlines them without any; literals in a union become an enum. */
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
    // A nullable plain type becomes a pair of types.
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
    // The description of the nullable type wins over that of its member.
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

/** Describes the default in words: generators treat a property with the keyword as always present. */
function leftOut(name: string, { default: value, ...property }: TSchema): TSchema {
  if (value === undefined) return property as TSchema
  const what = `${JSON.stringify(value)} when left out.`
  const meaning = property.description ?? meaningOf(name, false)
  return { ...property, description: meaning ? `${meaning} ${what}` : what } as TSchema
}

/** Adds the shared description of a field's name if it has none. */
export function described<S extends Json>(name: string, schema: S): S {
  const meaning = schema.description === undefined ? meaningOf(name, isNullable(schema)) : undefined
  return meaning === undefined ? schema : { description: meaning, ...schema }
}

const isNullable = ({ type, anyOf = [] }: Json) =>
  (Array.isArray(type) && type.includes('null')) || (anyOf as Json[]).some((member) => member.type === 'null')

/** The same for every field of a document that is not built from our schemas, such as OAuth's. */
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
