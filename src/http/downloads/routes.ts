import { Elysia } from 'elysia'
import { refused } from '../openapi/shared'
import { protocol } from '../protocol'
import type { DownloadKind } from './download'
import { sendFile } from './send-file'

export const downloadRoutes = (kinds: readonly DownloadKind[]) =>
  new Elysia({ tags: ['Public'] }).get(
    '/downloads/:token',
    ...protocol(
      {
        name: 'download',
        summary: 'Fetch a file that was asked for',
        description: 'At a signed address, which works for ten minutes.',
        parameters: [
          {
            name: 'token',
            in: 'path',
            required: true,
            description: 'From the address of the download.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: {
            description: 'The file.',
            content: {
              'text/csv': { schema: { type: 'string' } },
              'application/pdf': { schema: { type: 'string', format: 'binary' } },
              'application/zip': { schema: { type: 'string', format: 'binary' } },
            },
          },
          404: refused('not_found'),
          410: refused('gone'),
        },
      },
      (visit, { token = '' }) => sendFile(visit, token, kinds),
    ),
  )
