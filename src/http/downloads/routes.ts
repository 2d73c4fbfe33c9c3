import { Elysia } from 'elysia'
import { now } from '@/core/clock'
import { gone, notFound } from '@/core/errors'
import { refused } from '../openapi/shared'
import { protocol } from '../protocol'
import { respond } from '../respond'
import type { Visit } from '../visit'
import { type Download, type DownloadKind, downloadTokens } from './address'
import { attachment } from './disposition'

async function sendFile(visit: Visit, token: string, kinds: readonly DownloadKind[]): Promise<Response> {
  const opened = await downloadTokens.open(token)
  const kind = kinds.find(({ name }) => name === opened?.value.kind)
  if (!opened || !kind) throw notFound('Download')
  if (opened.expiresAt <= now()) throw gone('This address has expired: ask for a new one')
  const { name, type, chunks } = await kind.make(opened.value, visit)
  // Generates the first part before the headers, so that an immediate failure gets a proper status.
  const first = await chunks.next()
  const answer = respond(visit, 200, null, {
    'content-type': type,
    'content-disposition': attachment(name),
    'cache-control': 'private, no-store',
  })
  return new Response(streamed(first, chunks), answer)
}

/** Generates parts with backpressure. A failure breaks the connection, so that a truncated file never looks complete. */
function streamed(first: Part, chunks: Download['chunks']): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Part | undefined = first
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? (await chunks.next())
      next = undefined
      if (done) return controller.close()
      controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    cancel: async () => {
      await chunks.return(undefined)
    },
  })
}

type Part = IteratorResult<string | Uint8Array, void>

export const downloadRoutes = (kinds: readonly DownloadKind[]) =>
  new Elysia({ tags: ['Public'] }).get(
    '/downloads/:token',
    ...protocol(
      {
        name: 'download',
        summary: 'Download a requested file',
        description: 'The address is signed and valid for ten minutes.',
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
