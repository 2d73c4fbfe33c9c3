import { Kind, type TSchema } from '@sinclair/typebox'

type Project = (value: unknown) => unknown

/** Compiles a schema into a function that keeps only its fields, so that a new column never reaches the wire by accident. */
export function projector(schema: TSchema): Project {
  switch (schema[Kind]) {
    case 'Object':
      return projectObject(schema.properties as Record<string, TSchema>)
    case 'Array':
      return projectArray(projector(schema.items as TSchema))
    case 'Union':
      return projectUnion(schema.anyOf as TSchema[])
    case 'Record':
      return projectRecord(
        projector(Object.values(schema.patternProperties as Record<string, TSchema>)[0] as TSchema),
      )
    default:
      return (value) => value
  }
}

function projectObject(properties: Record<string, TSchema>): Project {
  const parts = Object.entries(properties).map(([name, schema]) => [name, projector(schema)] as const)
  return (value) => {
    const source = value as Record<string, unknown>
    const kept: Record<string, unknown> = {}
    for (const [name, project] of parts) {
      const item = source[name]
      if (item !== undefined) kept[name] = project(item)
    }
    return kept
  }
}

const projectArray =
  (project: Project): Project =>
  (value) =>
    (value as unknown[]).map(project)

const projectRecord =
  (project: Project): Project =>
  (value) =>
    Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, project(item)]))

/** Unions are nullable types or literals only: a union of two object shapes would puzzle clients. */
function projectUnion(members: TSchema[]): Project {
  const structured = members.filter((member) => ['Object', 'Array', 'Record'].includes(member[Kind]))
  if (structured.length > 1) throw new Error('A union in an answer may hold one structured member')
  const project = structured[0] ? projector(structured[0]) : undefined
  return (value) => (project && typeof value === 'object' && value !== null ? project(value) : value)
}
