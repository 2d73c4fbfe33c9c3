import type { TSchema } from '@sinclair/typebox'

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
  }
  if (schema.items) copy.items = hoist(schema.items as TSchema, components)
  if (schema.properties) {
    const properties = Object.entries(schema.properties as Record<string, TSchema>)
    copy.properties = Object.fromEntries(
      properties.map(([name, property]) => [name, hoist(leftOut(property), components)]),
    )
    const defaults = properties.filter(([, property]) => property.default !== undefined).map(([name]) => name)
    const required = ((schema.required ?? []) as string[]).filter((name) => !defaults.includes(name))
    copy.required = required.length > 0 ? required : undefined
  }
  return JSON.parse(JSON.stringify(copy))
}

/** A default is told in words: generators take a property with the keyword for one that is always there. */
function leftOut({ default: value, ...property }: TSchema): TSchema {
  if (value === undefined) return property as TSchema
  const what = `${JSON.stringify(value)} when left out.`
  return {
    ...property,
    description: property.description ? `${property.description} ${what}` : what,
  } as TSchema
}

const rest = ({ anyOf: _, ...others }: Json) => JSON.parse(JSON.stringify(others)) as Json
