/** The parts of an OpenAPI 3.1 document that clients depend on. */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> }
}
export type Operation = {
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
export type Content = Record<string, { schema?: Schema }>
export type Schema = Partial<Reference> & {
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
} & { [bound in (typeof BOUNDS)[number]]?: number }
type Reference = { $ref: string }

export const BOUNDS = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxProperties',
] as const

export function resolved<T extends object>(document: Document, node: T | Reference): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T
  let found: unknown = document
  for (const name of node.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[name]
  return found as T
}

export const succeeded = (status: string) => Number(status) < 400

const WORDS = new Set([
  'description',
  'title',
  'example',
  'examples',
  'default',
  'deprecated',
  'pattern',
  '$id',
])

/**
 * The document without descriptions, headers and errors: the compatibility baseline of a release, with a line per path and schema.
 */
export function promised({ paths, components }: Document): string {
  const lines = (of: object) =>
    Object.entries(of).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value, withoutWords)}`,
    )
  const kept = Object.entries(paths).map(([path, item]) => [path, mapped(item, promisedOf)] as const)
  return `{
"paths": {
${lines(Object.fromEntries(kept)).join(',\n')}
},
"components": {
"parameters": ${JSON.stringify(components?.parameters ?? {}, withoutWords)},
"schemas": {
${lines(components?.schemas ?? {}).join(',\n')}
}
}
}
`
}

const promisedOf = ({ security, parameters, requestBody, responses }: Operation): Operation => ({
  security,
  parameters,
  requestBody,
  responses: Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => succeeded(status))
      .map(([status, { content }]) => [status, { content }]),
  ),
})

/** A property may be named `description`; its value is a schema. */
const withoutWords = (key: string, value: unknown) =>
  WORDS.has(key) && (typeof value !== 'object' || Array.isArray(value)) ? undefined : value

const mapped = <A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
