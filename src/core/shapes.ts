import { type TSchema, Type } from '@sinclair/typebox'

/** The vocabulary of answers. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const wireTime = () => Type.String({ format: 'date-time' })

export const wireId = () => Type.String({ format: 'uuid' })

/** Times on the wire are ISO 8601 in UTC with milliseconds. */
export function iso(at: Date): string
export function iso(at: Date | null): string | null
export function iso(at: Date | null) {
  return at === null ? null : at.toISOString()
}
