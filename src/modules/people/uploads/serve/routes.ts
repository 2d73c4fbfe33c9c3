import { Elysia } from 'elysia'
import { NOT_MODIFIED, refused } from '@/http/openapi/shared'
import { protocol } from '@/http/protocol'
import { OPEN } from '@/http/route-traits'
import { WIDTHS } from '../content/content-types'
import { sendFile } from './send'

const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } }

/** Open to any origin. */
export const fileRoutes = new Elysia({ tags: ['Uploads'] }).get(
  '/v1/uploads/file/*',
  ...protocol(
    {
      name: 'readUploadedFile',
      summary: 'Fetch a file',
      description:
        'Without a credential, and not counted. A file never changes under its key: keep it as long as you like. A 404 says what became of a file that is not served, and has a `Retry-After` while it may still come.',
      rest: 'key',
      parameters: [
        {
          name: 'key',
          in: 'path',
          required: true,
          description: 'The whole key. Its slashes may be encoded.',
          schema: { type: 'string' },
        },
        {
          name: 'w',
          in: 'query',
          description:
            'The width of a smaller version of a picture, in its own type, or in WebP or AVIF for readers whose `Accept` names that. A picture that is not larger is served as it is.',
          schema: { type: 'integer', enum: [...WIDTHS].reverse() },
        },
      ],
      responses: {
        200: { description: 'The file.', content: BYTES },
        206: { description: 'The part of it that `Range` asks for.', content: BYTES },
        304: NOT_MODIFIED,
        404: refused('not_found'),
        416: refused('range_not_satisfiable'),
      },
    },
    (visit, { '*': rest = '' }) => sendFile(visit, rest),
    // Caches store rate limit headers with the file: those of the client that fetched it.
    { ...OPEN, showsBudget: true },
  ),
)
