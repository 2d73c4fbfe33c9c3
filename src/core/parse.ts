import { Kind, type Static, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { clean, cleanString, demandBounded } from './clean'
import { type AppError, invalid, invalidField } from './errors'
import { expectedOf, isHandle } from './fields'
import { demandKnownFormats } from './formats'
import { refusals } from './refusals'

/**
 * Fills in missing fields only. TypeBox's `Default` merges a sent object into the default of a list, including `length`: a
 * negative one throws, one of four billion is iterated.
 */
function fillDefaults(schema: TSchema, value: unknown): unknown {
  if (value === undefined) return structuredClone(schema.default)
  if (Array.isArray(value)) {
    if (schema[Kind] === 'Array')
      for (const [i, item] of value.entries()) value[i] = fillDefaults(schema.items, item)
  } else if (schema[Kind] === 'Object' && typeof value === 'object' && value !== null)
    fillFields(schema.properties, value as Record<string, unknown>)
  return value
}

function fillFields(properties: Record<string, TSchema>, fields: Record<string, unknown>) {
  for (const [name, schema] of Object.entries(properties)) {
    const filled = fillDefaults(schema, Object.hasOwn(fields, name) ? fields[name] : undefined)
    if (filled !== undefined) fields[name] = filled
  }
}

/** Compiles a schema into the parser of input: cleans, fills in defaults, drops unknown fields. */
export function parser<S extends TSchema>(schema: S): (raw: unknown) => Static<S> {
  demandKnownFormats(schema)
  let compiled: TypeCheck<S> | undefined
  const normalise = normaliser(schema)
  const prepare = isFlat(schema) ? pickFields(schema.properties as Record<string, TSchema>) : undefined
  return (raw) => {
    compiled ??= TypeCompiler.Compile(schema)
    demandBounded(raw)
    const value = (isRecord(raw) && prepare?.(raw)) || Value.Clean(schema, fillDefaults(schema, clean(raw)))
    normalise(value)
    if (compiled.Check(value)) return value as Static<S>
    throw explain(compiled.Errors(value).First())
  }
}

const isRecord = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** Most input is a few plain fields, which need no walk through the schema. */
const isFlat = (schema: TSchema) =>
  schema[Kind] === 'Object' && Object.values(schema.properties as Record<string, TSchema>).every(isPlain)

const isPlain = (schema: TSchema): boolean =>
  schema[Kind] === 'Union'
    ? (schema.anyOf as TSchema[]).every(isPlain)
    : !['Object', 'Array', 'Record'].includes(schema[Kind])

function pickFields(properties: Record<string, TSchema>) {
  const fields = Object.entries(properties).map(([name, { default: fallback }]) => ({ name, fallback }))
  return (raw: Record<string, unknown>): Record<string, unknown> => {
    const picked: Record<string, unknown> = {}
    for (const { name, fallback } of fields) {
      const given = Object.hasOwn(raw, name) ? raw[name] : undefined
      if (given !== undefined) picked[name] = typeof given === 'string' ? cleanString(given, name) : given
      else if (fallback !== undefined) picked[name] = fallback
    }
    return picked
  }
}

/** Lowercases ids and drops the @ of usernames. */
function normaliser(schema: TSchema): (value: unknown) => void {
  const properties: Record<string, TSchema> = schema[Kind] === 'Object' ? schema.properties : {}
  const those = (is: (schema: TSchema) => boolean, change: (text: string) => string) =>
    Object.keys(properties).flatMap((name) => (is(properties[name] as TSchema) ? [{ name, change }] : []))
  const changes = [
    ...those(
      (one) => one[Kind] === 'Id',
      (text) => text.toLowerCase(),
    ),
    ...those(isHandle, (text) => text.replace(/^@/, '')),
  ]
  return (value) => {
    if (!isRecord(value)) return
    for (const { name, change } of changes) {
      const text = value[name]
      if (typeof text === 'string') value[name] = change(text)
    }
  }
}

/** Names the invalid field and what it must be; never repeats the input. */
function explain(error: ValueError | undefined): AppError {
  if (!error) return invalid(refusals.invalidInput)
  const inner = insideNullable(error)
  if (inner) return explain(inner)
  const name = error.path.slice(1).replaceAll('/', '.')
  return name === '' ? invalid(`The body ${reason(error)}`) : invalidField(name, reason(error))
}

/** For a nullable value the error inside it says more than "neither matches". */
function insideNullable({ schema, value, errors }: ValueError): ValueError | undefined {
  const members = (schema[Kind] === 'Union' ? schema.anyOf : []) as TSchema[]
  const structured = members.findIndex((member) => member[Kind] === 'Array' || member[Kind] === 'Object')
  if (structured < 0 || members.length !== 2 || typeof value !== 'object' || value === null) return undefined
  return errors[structured]?.First()
}

function reason({ type, schema, value }: ValueError): string {
  if (value === undefined || type === ValueErrorType.ObjectRequiredProperty) return refusals.required
  return expectedOf(schema, value) ?? expectation(schema, type)
}

function expectation(schema: TSchema, type?: ValueErrorType): string {
  const own = expectedOf(schema)
  if (own) return own
  switch (schema[Kind]) {
    case 'Integer':
      return schema.maximum - schema.minimum === 1
        ? `must be ${schema.minimum} or ${schema.maximum}`
        : `must be a whole number${bounds(schema)}`
    case 'Number':
      return `must be a number${bounds(schema)}`
    case 'Boolean':
      return refusals.boolean
    case 'Array':
      return type === ValueErrorType.ArrayUniqueItems ? refusals.unique : `must be a list${items(schema)}`
    case 'Object':
      return refusals.object
    case 'Null':
      return 'must be null'
    case 'Literal':
      return `must be ${schema.const}`
    case 'Union':
      return alternatives(schema.anyOf as TSchema[])
    default:
      return refusals.invalidValue
  }
}

function alternatives(members: TSchema[]): string {
  const literals = members.filter((member) => member[Kind] === 'Literal').map((member) => member.const)
  const others = members.filter((member) => member[Kind] !== 'Literal').map((member) => expectation(member))
  const choices =
    literals.length > 1
      ? [`must be one of ${literals.join(', ')}`, ...others]
      : [...literals.map((value) => `must be ${value}`), ...others]
  return choices
    .map((choice, index) => (index === 0 ? choice : choice.replace(/^must be /, '')))
    .join(', or ')
}

const bounds = ({ minimum, maximum }: TSchema) =>
  minimum !== undefined && maximum !== undefined
    ? ` from ${minimum} to ${maximum}`
    : minimum !== undefined
      ? ` of at least ${minimum}`
      : ''

const items = ({ minItems, maxItems }: TSchema) =>
  minItems !== undefined && maxItems !== undefined
    ? ` of ${minItems} to ${maxItems} items`
    : maxItems !== undefined
      ? ` of at most ${maxItems} items`
      : minItems !== undefined
        ? ` of at least ${minItems} item${minItems === 1 ? '' : 's'}`
        : ''
