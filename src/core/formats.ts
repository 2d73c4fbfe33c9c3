import { FormatRegistry, Kind, type TSchema } from '@sinclair/typebox'
import { isId } from './ids'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

export function isTime(value: string): boolean {
  if (!TIME.test(value)) return false
  const year = new Date(value).getUTCFullYear()
  // Beyond these years dates are written otherwise, and what is reckoned from them may not be one at all.
  if (!(year >= 1900 && year < 9999)) return false
  // JavaScript rolls 31 February over into March; a calendar does not.
  const day = Number(value.slice(8, 10))
  return (
    day >= 1 &&
    day <= new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate()
  )
}

const isUri = (value: string) => /^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(value) && URL.canParse(value)

/**
 * TypeBox refuses every value of a format that is not registered. Importing Elysia registers some, but workers and commands
 * do without it, so all that our schemas use are registered here.
 */
const FORMATS = { uuid: isId, 'date-time': isTime, uri: isUri }

for (const [name, check] of Object.entries(FORMATS)) FormatRegistry.Set(name, check)

/** Throws for a schema with a format that no value would pass. Our own kinds check themselves: their format is documentation. */
export function demandKnownFormats(schema: TSchema): void {
  const { format } = schema
  if (schema[Kind] === 'String' && format !== undefined && !Object.hasOwn(FORMATS, format))
    throw new Error(`The format ${format} is not registered in core/formats.ts`)
  for (const inner of Object.values(schema))
    if (typeof inner === 'object' && inner !== null) demandKnownFormats(inner)
}
