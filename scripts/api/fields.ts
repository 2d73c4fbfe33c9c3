import {
  BOUNDS,
  type Content,
  type Document,
  type Operation,
  resolved,
  type Schema,
  succeeded,
} from './document'

/** A field of an input or a response, such as `body.venue.city`: its types and whether it is required. */
export type Field = {
  kinds: Set<string>
  isRequired: boolean
  bounds: Partial<Record<(typeof BOUNDS)[number], number>>
  /** The enclosing field. */
  within: string | undefined
}
export type Fields = Map<string, Field>

export function inputOf(document: Document, { parameters = [], requestBody }: Operation): Fields {
  const fields = collector(document)
  for (const parameter of parameters) {
    const { name, in: place, required = false, schema } = resolved(document, parameter)
    fields.add(schema, `${place} ${name}`, required)
  }
  if (requestBody) fields.addContent('body', requestBody.content, requestBody.required ?? false)
  return fields.found
}

export function answersOf(document: Document, { responses }: Operation): Fields {
  const fields = collector(document)
  for (const [status, { content = {} }] of Object.entries(responses))
    if (succeeded(status)) fields.addContent(status, content, true)
  return fields.found
}

function collector(document: Document) {
  const found: Fields = new Map()

  function addContent(root: string, content: Content, isRequired: boolean) {
    if (Object.keys(content).length === 0) found.set(root, newField(isRequired, undefined))
    for (const [type, { schema = {} }] of Object.entries(content))
      add(schema, type === 'application/json' ? root : `${root} (${type})`, isRequired)
  }

  function add(schema: Schema, path: string, isRequired: boolean, within?: string, inside: string[] = []) {
    // Recursive schemas are expanded once.
    if (schema.$ref !== undefined && inside.includes(schema.$ref)) return
    const around = schema.$ref === undefined ? inside : [...inside, schema.$ref]
    const variants = variantsOf(document, schema)
    const field = newField(isRequired, within)
    found.set(path, field)
    for (const variant of variants) for (const kind of kindsOf(variant)) field.kinds.add(kind)
    const shapes = variants.filter(({ type }) => type !== 'null')
    // A field of one union member is optional, and a bound of one member does not apply to the others.
    const isOne = shapes.length === 1
    for (const shape of shapes) {
      if (isOne) field.bounds = boundsOf(shape)
      for (const [name, property] of Object.entries(shape.properties ?? {}))
        add(property, `${path}.${name}`, isOne && (shape.required?.includes(name) ?? false), path, around)
      for (const values of [shape.additionalProperties, ...Object.values(shape.patternProperties ?? {})])
        if (typeof values === 'object') add(values, `${path}.*`, false, path, around)
      if (shape.items) add(shape.items, `${path}[]`, false, path, around)
    }
  }

  return { found, add, addContent }
}

function variantsOf(document: Document, schema: Schema): Schema[] {
  const here = resolved<Schema>(document, schema)
  if ('allOf' in here || 'not' in here) throw new Error('This check knows neither allOf nor not: teach it.')
  const variants = here.anyOf ?? here.oneOf
  return variants ? variants.flatMap((variant) => variantsOf(document, variant)) : [here]
}

const newField = (isRequired: boolean, within: string | undefined): Field => ({
  kinds: new Set(),
  isRequired,
  bounds: {},
  within,
})

function kindsOf({ type, format, const: only, enum: words }: Schema): string[] {
  const types = type === undefined ? ['any'] : [type].flat()
  if (only !== undefined) return [JSON.stringify(only)]
  if (words) return [...words.map((word) => JSON.stringify(word)), ...types.filter((name) => name === 'null')]
  return types.map((name) => (format && name !== 'null' ? `${name} (${format})` : name))
}

const boundsOf = (schema: Schema) =>
  Object.fromEntries(BOUNDS.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))
