import type { Schema } from './operations'

type Schemas = Record<string, Schema>

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const isOfType = (value: unknown, type: string) =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type

/**
 * Where a value breaks its schema, for as much of JSON Schema as we write; nothing when it does not. Properties that an
 * object does not name are foreign to it: that is how leaks look.
 */
export function breach(value: unknown, schema: Schema, schemas: Schemas, at = '$'): string | undefined {
  if (schema.$ref !== undefined) return breach(value, schemas[schema.$ref.split('/').at(-1)], schemas, at)
  if (schema.anyOf !== undefined) {
    const breaches = schema.anyOf.map((one: Schema) => breach(value, one, schemas, at))
    return breaches.includes(undefined) ? undefined : breaches.join(' and ')
  }
  if (schema.const !== undefined && value !== schema.const) return `${at} is not ${schema.const}`
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${at} is none of its values`
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type: string) => isOfType(value, type)))
    return `${at} is ${typeOf(value)} and not ${types}`
  if (
    typeof value === 'string' &&
    schema.pattern !== undefined &&
    !new RegExp(schema.pattern, 'u').test(value)
  )
    return `${at} does not match ${schema.pattern}`
  if (Array.isArray(value) && schema.items !== undefined)
    return first(value.map((item, i) => () => breach(item, schema.items, schemas, `${at}[${i}]`)))
  return typeOf(value) === 'object' ? breachOfObject(value as object, schema, schemas, at) : undefined
}

function breachOfObject(value: object, schema: Schema, schemas: Schemas, at: string): string | undefined {
  const missing = (schema.required ?? []).find((name: string) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `${at}.${missing} is missing`
  const named = schema.properties ?? {}
  const others = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].find(
    (one) => typeof one === 'object',
  )
  const isOpen = schema.properties === undefined
  return first(
    Object.entries(value).map(([name, property]) => () => {
      const known = Object.hasOwn(named, name) ? named[name] : others
      if (known !== undefined) return breach(property, known as Schema, schemas, `${at}.${name}`)
      return isOpen ? undefined : `${at}.${name} is foreign`
    }),
  )
}

function first(checks: (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}
