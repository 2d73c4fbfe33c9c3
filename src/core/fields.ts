import { Kind, type SchemaOptions, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import { THEME_COLORS } from '@/config/accent'
import { isTime } from './formats'
import { isId } from './ids'
import { refusals } from './refusals'

/** Everything that some reader treats as a line break. */
export const LINE_ENDS = /\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]/g

export const isOneLine = (text: string): boolean => text.search(LINE_ENDS) < 0

/**
 * The vocabulary of input fields. Every string has a maximum, lengths count code points, and each field defines its check, error
 * sentence and JSON Schema once.
 */

type Rule = {
  check: (value: string, schema: Record<string, unknown>) => boolean
  expected: (schema: Record<string, unknown>, value?: unknown) => string
}

const RULES: Record<string, Rule> = {
  Line: {
    check: (value, schema) => !value.includes('\t') && isOneLine(value) && isShown(value, schema),
    expected: (schema, value) => (isBlank(value) ? VISIBLE : `must be ${lengths(schema)} on one line`),
  },
  Text: {
    check: isShown,
    expected: (schema, value) => (isBlank(value) ? VISIBLE : `must be ${lengths(schema)}`),
  },
  Pattern: {
    check: (value, schema) => fits(value, schema) && new RegExp(schema.pattern as string).test(value),
    expected: (schema) =>
      (schema.expected as string | undefined) ?? `must be ${lengths(schema)} and match ${schema.pattern}`,
  },
  WebUrl: {
    check: (value) => isWebUrl(value),
    expected: () => refusals.webAddress,
  },
  Time: { check: (value) => isTime(value), expected: () => refusals.time },
  Id: {
    check: (value) => isId(value),
    expected: () => refusals.uuid,
  },
}

for (const [kind, rule] of Object.entries(RULES))
  TypeRegistry.Set<Record<string, unknown>>(
    kind,
    (schema, value) => typeof value === 'string' && rule.check(value, schema),
  )

const Sentence = Symbol('Sentence')
type InWords = { [Sentence]?: (value: unknown) => string }

/** A field with its own error sentence, which may depend on the value but never repeats it. */
export const inWords = <S extends TSchema>(schema: S, sentence: (value: unknown) => string): S => ({
  ...schema,
  [Sentence]: sentence,
})

export const expectedOf = (schema: TSchema, value?: unknown): string | undefined =>
  (schema as InWords)[Sentence]?.(value) ?? RULES[schema[Kind]]?.expected(schema, value)

const Handle = Symbol('Handle')

/** A username; a leading @ is dropped. */
export const handle = <S extends TSchema>(schema: S): S => ({ ...schema, [Handle]: true })

export const isHandle = (schema: TSchema | undefined): boolean => schema !== undefined && Handle in schema

export const line = (min: number, max: number, options: SchemaOptions = {}) =>
  field('Line', { minLength: min, maxLength: max, ...options })

/** Text that may hold line feeds and tabs. */
export const text = (min: number, max: number, options: SchemaOptions = {}) =>
  field('Text', { minLength: min, maxLength: max, ...options })

export const pattern = (source: string, min: number, max: number, expected?: string) =>
  field('Pattern', { pattern: source, minLength: min, maxLength: max, ...(expected && { expected }) })

export const webUrl = (options: SchemaOptions = {}) =>
  field('WebUrl', { format: 'uri', maxLength: 2048, ...options })

export const time = (options: SchemaOptions = {}) =>
  field('Time', { format: 'date-time', maxLength: 40, ...options })

/** Accepts any text that could be a username, so that a malformed one gives "not found". */
export const person = (description = 'The id or the username of a person.') =>
  handle(line(1, 100, { description }))

export const id = () => field('Id', { format: 'uuid', maxLength: 36 })

export const whole = (minimum: number, maximum: number, options: SchemaOptions = {}) =>
  Type.Integer({ minimum, maximum, ...options })

/** The position in a manually sorted list: any integer that JSON carries exactly. */
export const sortOrder = (options: SchemaOptions = {}) => whole(0, Number.MAX_SAFE_INTEGER, options)

export const oneOf = <const T extends readonly string[]>(values: T, options: SchemaOptions = {}) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as TUnsafe<T[number]>

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const optional = Type.Optional

function field(kind: string, schema: Record<string, unknown>): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', ...schema, [Kind]: kind })
}

function fits(value: string, { minLength, maxLength }: Record<string, unknown>): boolean {
  const [min, max] = [minLength as number, maxLength as number]
  // A code point is one or two UTF-16 units, so most lengths need no counting.
  if (value.length < min || value.length > 2 * max) return false
  if (value.length >= 2 * min && value.length <= max) return true
  let points = 0
  for (const _ of value) points += 1
  return points >= min && points <= max
}

/** Spaces, controls, joiners, fillers and the empty Braille cell: a name of only these cannot be seen, clicked or searched. */
const INVISIBLE = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+$/u
const VISIBLE = refusals.visibleCharacter

export const isBlank = (value: unknown) => typeof value === 'string' && INVISIBLE.test(value)

/** A required text must have a visible character. */
function isShown(value: string, schema: Record<string, unknown>): boolean {
  return fits(value, schema) && (schema.minLength === 0 || !isBlank(value))
}

const lengths = ({ minLength, maxLength }: Record<string, unknown>) =>
  minLength ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`

function isWebUrl(value: string): boolean {
  if (value.length > 2048 || !/^https?:\/\//i.test(value) || /[\s\\]/.test(value)) return false
  const url = URL.parse(value)
  return url !== null && url.username === '' && url.password === '' && url.hostname !== ''
}

export const themeColor = () => oneOf(THEME_COLORS)
