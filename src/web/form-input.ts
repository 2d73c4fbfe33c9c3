import { Kind, type TObject, type TSchema } from '@sinclair/typebox'
import { badRequest, invalidField } from '@/core/errors'
import { isTimeZone } from '@/core/time-zones'
import { coerce } from '@/http/input'
import { clockIn, isLocal, momentIn } from './local-time'

type Input = Record<string, unknown>

/** The field that names the zone in which a form shows times and means them; without it they are in UTC. */
export const ZONE = 'timezone'

/** Beside a time that a form shows: the moment that it was made from. */
export const momentName = (name: string) => `${name}.moment`

/** The input of an action from those of its fields that a form has; `venue.city` is a field of an object. */
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

/** `undefined` leaves a field out. Browsers send nothing for a box that is not ticked, so on a form that is an answer. */
function meant(schema: TSchema, name: string, sent: URLSearchParams): unknown {
  const texts = sent.getAll(name)
  const { inner, isNullable } = withoutNull(schema)
  if (inner.type === 'array')
    return texts
      .flatMap((text) => itemsOf(inner.items, text))
      .map((text) => scalar(inner.items, text, name, sent))
  const [text, ...others] = texts
  if (others.length > 0) throw badRequest('A field was sent more than once')
  if (inner.type === 'boolean' && (text === undefined || text === 'on')) return text !== undefined
  if (text === undefined) return undefined
  if (text.trim() === '') return isNullable ? null : inner.minLength === 0 ? '' : undefined
  return scalar(inner, text.trim(), name, sent)
}

/** A list that is typed has a line for each, or commas between them where an item can hold none, as an address can. */
const itemsOf = (item: TSchema, text: string): string[] =>
  text
    .split(item.format === 'uri' ? /\n/ : /[\n,]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

const scalar = (schema: TSchema, text: string, name: string, sent: URLSearchParams): unknown =>
  schema[Kind] === 'Time' && isLocal(text) ? timeOf(text, name, sent) : coerce(schema, text)

/**
 * A time without a zone is one of the zone that the form names. Where it was not touched it is the very moment that was
 * shown, which an hour that happens twice does not tell. What is no zone is for the action to refuse.
 */
function timeOf(text: string, name: string, sent: URLSearchParams): string {
  const zone = sent.get(ZONE)?.trim() ?? ''
  if (!isTimeZone(zone) || !isDay(text)) return `${text}Z`
  const shown = sent.get(momentName(name)) ?? ''
  if (isMoment(shown) && clockIn(zone, shown) === text) return shown
  const moment = momentIn(zone, text)
  if (moment === null) throw invalidField(name, 'does not exist on that day: clocks are put forward')
  return moment
}

/** Whether there is such a day at all; if not, the schema says so. */
const isDay = (text: string) => new Date(`${text}Z`).toJSON()?.startsWith(text.slice(0, 16)) ?? false

const isMoment = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))

function withoutNull(schema: TSchema): { inner: TSchema; isNullable: boolean } {
  const members: TSchema[] = schema[Kind] === 'Union' ? schema.anyOf : []
  const inner = members.filter((member) => member[Kind] !== 'Null')
  const isNullable = inner.length < members.length
  return { inner: isNullable && inner.length === 1 ? (inner[0] as TSchema) : schema, isNullable }
}
