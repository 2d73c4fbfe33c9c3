import { type TSchema, Type } from '@sinclair/typebox'

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const wireTime = () => Type.String({ format: 'date-time' })

/** An address on this server. Addresses that people typed are plain text: they may violate RFC 3986. */
export const ownUrl = (description?: string) =>
  Type.String({ format: 'uri', ...(description !== undefined && { description }) })

export const photo = () =>
  orNull(Type.String({ description: 'The address of the picture; null where there is none.' }))

export const wireId = () => Type.String({ format: 'uuid' })

export function iso(at: Date): string
export function iso(at: Date | null): string | null
export function iso(at: Date | null) {
  return at === null ? null : at.toISOString()
}
