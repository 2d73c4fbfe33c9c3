import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { protocol } from '@/http/protocol'
import { JSON_TYPE, respond, respondTagged, tagged } from '@/http/respond'
import { schemaList, schemaNamed, schemaNames } from './catalogue'

const LIST_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'public, max-age=300' }
const SCHEMA_HEADERS = {
  'content-type': 'application/schema+json; charset=utf-8',
  'cache-control': 'public, max-age=300',
}

const json = (description: string) => ({ description, content: { 'application/json': {} } })

export const schemaRoutes = new Elysia({ tags: ['Public'] })
  .use(front)
  .get(
    '/schemas',
    ...protocol(
      {
        name: 'listSchemas',
        summary: 'List the JSON schemas that are published here',
        responses: { 200: json('`{schemas: {name, title, description, url}[], version}`.') },
      },
      (visit) => respondTagged(visit, tagged(JSON.stringify(schemaList())), LIST_HEADERS),
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
          200: { description: 'JSON Schema 2020-12.', content: { 'application/schema+json': {} } },
          404: json('`{error, available}`: the names that there are.'),
        },
      },
      (visit, { name = '' }) => {
        const schema = schemaNamed(name)
        if (schema) return respondTagged(visit, tagged(JSON.stringify(schema)), SCHEMA_HEADERS)
        const missing = { error: 'There is no schema of that name', available: schemaNames() }
        return respond(visit, 404, JSON.stringify(missing), LIST_HEADERS)
      },
    ),
  )
