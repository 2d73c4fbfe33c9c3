import { type TSchema, Type } from '@sinclair/typebox'

/** The vocabulary of answers. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const wireTime = () => Type.String({ format: 'date-time' })

/** An address on this server. Those that people typed may hold what RFC 3986 does not let stand in one: they are text. */
export const ownUrl = (description?: string) =>
  Type.String({ format: 'uri', ...(description !== undefined && { description }) })

/** The picture of an event or a group. */
export const photo = () =>
  orNull(Type.String({ description: 'The address of the picture; null where there is none.' }))

export const wireId = () => Type.String({ format: 'uuid' })

/** Times on the wire are ISO 8601 in UTC with milliseconds. */
export function iso(at: Date): string
export function iso(at: Date | null): string | null
export function iso(at: Date | null) {
  return at === null ? null : at.toISOString()
}
