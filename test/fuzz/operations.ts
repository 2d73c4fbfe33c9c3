import { get, type Json } from '../support/api'

export type Schema = Json

export type Operation = {
  method: string
  /** With its parameters in braces. */
  path: string
  query: { name: string; required: boolean; schema: Schema }[]
  body?: { mediaType: string; schema: Schema }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

/** What the server says of itself, with every reference followed that is not a schema. */
export async function describedOperations(): Promise<{
  operations: Operation[]
  schemas: Record<string, Schema>
}> {
  const { paths, components } = (await get('/openapi.json')).body
  const followed = (thing: Json): Json =>
    thing.$ref === undefined ? thing : components[thing.$ref.split('/')[2]][thing.$ref.split('/')[3]]
  const operations = Object.entries(paths as Json).flatMap(([path, verbs]) =>
    Object.entries(verbs as Json).map(([verb, operation]: [string, Json]): Operation => {
      const [mediaType, media] = Object.entries((operation.requestBody?.content ?? {}) as Json)[0] ?? []
      return {
        method: verb.toUpperCase(),
        path,
        query: (operation.parameters ?? [])
          .map(followed)
          .filter((parameter: Json) => parameter.in === 'query'),
        body: mediaType === undefined ? undefined : { mediaType, schema: (media as Json).schema },
        responses: Object.fromEntries(
          Object.entries(operation.responses as Json).map(([status, response]) => [
            status,
            followed(response as Json),
          ]),
        ),
      }
    }),
  )
  return { operations, schemas: components.schemas }
}
