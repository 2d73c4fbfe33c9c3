import type { TSchema } from '@sinclair/typebox'

/** Text of a query or of a form as its schema wants it. What does not look like it stays text, which the schema refuses. */
export function coerce(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number')
    return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
