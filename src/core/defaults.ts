import { Kind, type TSchema } from '@sinclair/typebox'

/**
 * Fills in missing fields only. TypeBox's `Default` merges a sent object into the default of a list, including `length`: a
 * negative one throws, one of four billion is iterated.
 */
export function fillDefaults(schema: TSchema, value: unknown): unknown {
  if (value === undefined) return structuredClone(schema.default)
  if (Array.isArray(value)) {
    if (schema[Kind] === 'Array')
      for (const [i, item] of value.entries()) value[i] = fillDefaults(schema.items, item)
  } else if (schema[Kind] === 'Object' && typeof value === 'object' && value !== null)
    fillFields(schema.properties, value as Record<string, unknown>)
  return value
}

function fillFields(properties: Record<string, TSchema>, fields: Record<string, unknown>) {
  for (const [name, schema] of Object.entries(properties)) {
    const filled = fillDefaults(schema, Object.hasOwn(fields, name) ? fields[name] : undefined)
    if (filled !== undefined) fields[name] = filled
  }
}
