import { Kind, type TObject, type TSchema } from '@sinclair/typebox'
import { badRequest } from '@/core/errors'
import { coerce } from '@/http/coerce'

type Input = Record<string, unknown>

/** The input of an action from those of its fields that a form has. */
export function formInput({ properties }: TObject, names: readonly string[], sent: URLSearchParams): Input {
  const input: Input = {}
  for (const name of names) {
    const value = meant(properties[name] as TSchema, sent.getAll(name))
    if (value !== undefined) input[name] = value
  }
  return input
}

/** `undefined` leaves a field out. Browsers send nothing for a box that is not ticked, so on a form that is an answer. */
function meant(schema: TSchema, texts: string[]): unknown {
  const { inner, isNullable } = withoutNull(schema)
  if (inner.type === 'array')
    return texts.filter((text) => text !== '').map((text) => coerce(inner.items, text))
  const [text, ...others] = texts
  if (others.length > 0) throw badRequest('A field was sent more than once')
  if (inner.type === 'boolean' && (text === undefined || text === 'on')) return text !== undefined
  if (text === undefined) return undefined
  if (text.trim() === '') return isNullable ? null : inner.minLength === 0 ? '' : undefined
  return inner[Kind] === 'Time' ? withZone(text.trim()) : coerce(inner, text.trim())
}

function withoutNull(schema: TSchema): { inner: TSchema; isNullable: boolean } {
  const members: TSchema[] = schema[Kind] === 'Union' ? schema.anyOf : []
  const inner = members.filter((member) => member[Kind] !== 'Null')
  const isNullable = inner.length < members.length
  return { inner: isNullable && inner.length === 1 ? (inner[0] as TSchema) : schema, isNullable }
}

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/

/** `<input type="datetime-local">` names no zone: its page shows times in UTC, as `time.ts` does. */
const withZone = (text: string) => (LOCAL.test(text) ? `${text}Z` : text)
