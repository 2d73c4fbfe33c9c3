import { FormatRegistry, Kind, type TSchema } from '@sinclair/typebox'
import { isId } from './ids'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

export function isTime(value: string): boolean {
  if (!TIME.test(value)) return false
  const year = new Date(value).getUTCFullYear()
  // Other years have another ISO format, and computing with them can leave the range of Date.
  if (!(year >= 1900 && year < 9999)) return false
  // JavaScript rolls 31 February over into March.
  const day = Number(value.slice(8, 10))
  return (
    day >= 1 &&
    day <= new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate()
  )
}

const isUri = (value: string) => /^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(value) && URL.canParse(value)

/**
 * TypeBox rejects every value of an unregistered format. Elysia registers some on import, but workers and commands do not load
 * it.
 */
const FORMATS = { uuid: isId, 'date-time': isTime, uri: isUri }

for (const [name, check] of Object.entries(FORMATS)) FormatRegistry.Set(name, check)

/** Throws for a schema whose format no value can pass. Our own kinds validate themselves: their format is documentation. */
export function demandKnownFormats(schema: TSchema): void {
  const { format } = schema
  if (schema[Kind] === 'String' && format !== undefined && !Object.hasOwn(FORMATS, format))
    throw new Error(`The format ${format} is not registered in core/formats.ts`)
  for (const inner of Object.values(schema))
    if (typeof inner === 'object' && inner !== null) demandKnownFormats(inner)
}
