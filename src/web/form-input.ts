import { Kind, type TObject, type TSchema } from '@sinclair/typebox'
import { badRequest, invalidField } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { isTimeZone } from '@/core/time-zones'
import { coerce } from '@/http/input'
import { clockIn, isLocal, momentIn } from './local-time'

type Input = Record<string, unknown>

/** The field with the zone of the form's times; UTC without it. */
export const ZONE = 'timezone'

/** A hidden field with the exact moment of a shown time. */
export const momentName = (name: string) => `${name}.moment`

/** Builds an action's input from form fields; `venue.city` is a field of an object. */
export function formInput({ properties }: TObject, names: readonly string[], sent: URLSearchParams): Input {
  const input: Input = {}
  const objects = new Map<string, string[]>()
  for (const name of names) {
    const [object, field] = name.split('.') as [string, string?]
    if (field === undefined) set(input, name, meant(properties[name] as TSchema, name, sent))
    else objects.set(object, [...(objects.get(object) ?? []), field])
  }
  for (const [name, fields] of objects) {
    const { inner, isNullable } = withoutNull(properties[name] as TSchema)
    const value: Input = {}
    for (const field of fields)
      set(value, field, meant(inner.properties[field] as TSchema, `${name}.${field}`, sent))
    if (Object.values(value).some((one) => one !== null && one !== '')) input[name] = value
    else if (isNullable && fields.some((field) => sent.has(`${name}.${field}`))) input[name] = null
  }
  return input
}

function set(input: Input, name: string, value: unknown) {
  if (value !== undefined) input[name] = value
}

/** `undefined` omits a field. Browsers send nothing for an unticked checkbox, so on a form that means false. */
function meant(schema: TSchema, name: string, sent: URLSearchParams): unknown {
  const texts = sent.getAll(name)
  const { inner, isNullable } = withoutNull(schema)
  if (inner.type === 'array')
    return texts
      .flatMap((text) => itemsOf(inner.items, text))
      .map((text) => scalar(inner.items, text, name, sent))
  const [text, ...others] = texts
  if (others.length > 0) throw badRequest(refusals.repeatedField)
  if (inner.type === 'boolean' && (text === undefined || text === 'on')) return text !== undefined
  if (text === undefined) return undefined
  if (text.trim() === '') return isNullable ? null : inner.minLength === 0 ? '' : undefined
  return scalar(inner, text.trim(), name, sent)
}

/** A typed list has one item per line, or commas where items cannot contain them (an address can). */
const itemsOf = (item: TSchema, text: string): string[] =>
  text
    .split(item.format === 'uri' ? /\n/ : /[\n,]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

const scalar = (schema: TSchema, text: string, name: string, sent: URLSearchParams): unknown =>
  schema[Kind] === 'Time' && isLocal(text) ? timeOf(text, name, sent) : coerce(schema, text)

/**
 * A time without a zone is in the form's zone. An unchanged time is exactly the shown moment, since an hour that occurs twice is
 * ambiguous. The action refuses an invalid zone.
 */
function timeOf(text: string, name: string, sent: URLSearchParams): string {
  const zone = sent.get(ZONE)?.trim() ?? ''
  if (!isTimeZone(zone) || !isDay(text)) return `${text}Z`
  const shown = sent.get(momentName(name)) ?? ''
  if (isMoment(shown) && clockIn(zone, shown) === text) return shown
  const moment = momentIn(zone, text)
  if (moment === null) throw invalidField(name, refusals.skippedHour)
  return moment
}

/** Whether the day exists; if not, the schema refuses it. */
const isDay = (text: string) => new Date(`${text}Z`).toJSON()?.startsWith(text.slice(0, 16)) ?? false

const isMoment = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))

function withoutNull(schema: TSchema): { inner: TSchema; isNullable: boolean } {
  const members: TSchema[] = schema[Kind] === 'Union' ? schema.anyOf : []
  const inner = members.filter((member) => member[Kind] !== 'Null')
  const isNullable = inner.length < members.length
  return { inner: isNullable && inner.length === 1 ? (inner[0] as TSchema) : schema, isNullable }
}
