import { Elysia } from 'elysia'
import type { Json } from '@/http/openapi/schemas'
import { NOT_MODIFIED } from '@/http/openapi/shared'
import { protocol } from '@/http/protocol'
import { JSON_TYPE, respond, respondTagged, type Tagged, tagged } from '@/http/respond'
import { OPEN } from '@/http/route-traits'
import type { PublishedShape } from './catalogue'
import { catalogueOf } from './catalogue'

const LIST_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'public, max-age=300' }
const SCHEMA_HEADERS = {
  'content-type': 'application/schema+json; charset=utf-8',
  'cache-control': 'public, max-age=300',
}

const MISSING_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-cache' }

const json = (description: string, schema: Json) => ({
  description,
  content: { 'application/json': { schema } },
})

const text = { type: 'string' }
const words = { type: 'array', items: text }
const all = (properties: Json): Json => ({ type: 'object', properties, required: Object.keys(properties) })

const LIST = all({
  schemas: {
    type: 'array',
    items: all({ name: text, title: text, description: text, url: text }),
    description: 'Every schema.',
  },
  version: { ...text, description: 'Version of all schemas.' },
})

/** Built on the first request, so that it does not delay the start. */
function answersOf(shapes: PublishedShape[]) {
  const { list, schemas } = catalogueOf(shapes)
  return {
    list: tagged(JSON.stringify(list)),
    named: new Map<string, Tagged>(
      [...schemas].map(([name, schema]) => [name, tagged(JSON.stringify(schema))]),
    ),
    missing: JSON.stringify({ error: 'There is no schema of that name', available: [...schemas.keys()] }),
  }
}

export function schemaRoutes(shapes: PublishedShape[]) {
  let made: ReturnType<typeof answersOf> | undefined
  const answers = () => {
    made ??= answersOf(shapes)
    return made
  }
  return new Elysia({ tags: ['Public'] })
    .get(
      '/schemas',
      ...protocol(
        {
          name: 'listSchemas',
          summary: 'List published JSON schemas',
          description:
            'Schemas of responses and of webhook payloads. `version` covers all of them (semver): a change that ' +
            'invalidates earlier data is major, a new schema or field is minor.',
          responses: { 200: json('What there is, by name.', LIST), 304: NOT_MODIFIED },
        },
        (visit) => respondTagged(visit, answers().list, LIST_HEADERS),
        OPEN,
      ),
    )
    .get(
      '/schemas/:name',
      ...protocol(
        {
          name: 'readSchema',
          summary: 'Read a JSON schema',
          parameters: [
            {
              name: 'name',
              in: 'path',
              required: true,
              description: 'Name of the schema, from the list.',
              schema: { type: 'string' },
            },
          ],
          responses: {
            200: {
              description: 'JSON Schema 2020-12.',
              content: { 'application/schema+json': { schema: { type: 'object' } } },
            },
            304: NOT_MODIFIED,
            404: json(
              'There is none of that name; these there are.',
              all({
                error: { ...text, description: 'What is wrong.' },
                available: { ...words, description: 'The names that exist.' },
              }),
            ),
          },
        },
        (visit, { name = '' }) => {
          const { named, missing } = answers()
          const schema = named.get(name)
          return schema
            ? respondTagged(visit, schema, SCHEMA_HEADERS)
            : respond(visit, 404, missing, MISSING_HEADERS)
        },
        OPEN,
      ),
    )
}
