import { Elysia } from 'elysia'
import type { Json } from '@/http/openapi/schemas'
import { NOT_MODIFIED } from '@/http/openapi/shared'
import { protocol } from '@/http/protocol'
import { JSON_TYPE, respond, respondTagged, tagged } from '@/http/respond'
import { OPEN } from '@/http/route-traits'
import { schemaList, schemaNamed, schemaNames } from './catalogue'

const LIST_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'public, max-age=300' }
const SCHEMA_HEADERS = {
  'content-type': 'application/schema+json; charset=utf-8',
  'cache-control': 'public, max-age=300',
}

const json = (description: string, schema: Json) => ({
  description,
  content: { 'application/json': { schema } },
})

const text = { type: 'string' }
const words = { type: 'array', items: text }
const all = (properties: Json): Json => ({ type: 'object', properties, required: Object.keys(properties) })

const LIST = all({
  schemas: { type: 'array', items: all({ name: text, title: text, description: text, url: text }) },
  version: text,
})

export const schemaRoutes = new Elysia({ tags: ['Public'] })
  .get(
    '/schemas',
    ...protocol(
      {
        name: 'listSchemas',
        summary: 'List the JSON schemas that are published here',
        responses: { 200: json('What there is, by name.', LIST), 304: NOT_MODIFIED },
      },
      (visit) => respondTagged(visit, tagged(JSON.stringify(schemaList())), LIST_HEADERS),
      OPEN,
    ),
  )
  .get(
    '/schemas/:name',
    ...protocol(
      {
        name: 'readSchema',
        summary: 'Read a JSON schema',
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'JSON Schema 2020-12.',
            content: { 'application/schema+json': { schema: { type: 'object' } } },
          },
          304: NOT_MODIFIED,
          404: json('There is none of that name; these there are.', all({ error: text, available: words })),
        },
      },
      (visit, { name = '' }) => {
        const schema = schemaNamed(name)
        if (schema) return respondTagged(visit, tagged(JSON.stringify(schema)), SCHEMA_HEADERS)
        const missing = { error: 'There is no schema of that name', available: schemaNames() }
        return respond(visit, 404, JSON.stringify(missing), LIST_HEADERS)
      },
      OPEN,
    ),
  )
