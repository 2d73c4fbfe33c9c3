import { Elysia } from 'elysia'
import { badRequest, gone } from '@/core/errors'
import { db } from '@/db/client'
import { refused } from '@/http/openapi/shared'
import { protocol } from '@/http/protocol'
import { respondJson } from '@/http/respond'
import { OPEN } from '@/http/route-traits'
import type { Visit } from '@/http/visit'
import { POLL_AGAIN } from '../failures'
import { presentUpload } from '../present'
import { findUploadByKey, type UploadRow } from '../queries'
import { checkOf } from './by-form'
import { receive } from './receive'

const UPLOAD = {
  'application/json': {
    schema: {
      type: 'object',
      properties: { data: { $ref: '#/components/schemas/Upload' } },
      required: ['data'],
    },
  },
}

/** Open to any origin: the signed URL is the credential. */
export const receiveRoutes = new Elysia({ tags: ['Uploads'] }).put(
  '/uploads/:token',
  ...protocol(
    {
      name: 'sendUpload',
      summary: 'Upload a file',
      description:
        'To the `uploadUrl` of `POST /v1/uploads/request`, once, with the declared `Content-Type` and `Content-Length`. The response waits a few seconds for the check. After a 503, or without a response, send the same bytes again.',
      parameters: [
        {
          name: 'token',
          in: 'path',
          required: true,
          description: 'From `uploadUrl`.',
          schema: { type: 'string' },
        },
      ],
      requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
      responses: {
        200: { description: 'Checked and available.', content: UPLOAD },
        202: {
          description: 'Received, and still being checked: poll its `publicUrl`.',
          headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
          content: UPLOAD,
        },
        400: refused('bad_request'),
        404: refused('not_found'),
        409: refused('conflict'),
        410: refused('gone'),
        503: refused('unavailable'),
      },
    },
    (visit, { token = '' }) => answer(visit, token),
    OPEN,
  ),
)

async function answer(visit: Visit, token: string): Promise<Response> {
  let check: ReturnType<typeof checkOf> | undefined
  try {
    const upload = await receive(token, visit.request, ({ key }) => {
      check ??= checkOf(key)
    })
    const row = await findUploadByKey(db, upload.key)
    if (row?.state !== 'received') return respondState(visit, row)
    await check?.ended
    return respondState(visit, await findUploadByKey(db, upload.key))
  } finally {
    check?.stop()
  }
}

function respondState(visit: Visit, row: UploadRow | undefined): Response {
  if (row === undefined || row.state === 'removed') throw gone('The file was deleted while it was checked')
  if (row.state === 'refused') throw badRequest(row.reason ?? 'The file was refused')
  const data = presentUpload(row)
  return row.state === 'ready'
    ? respondJson(visit, 200, { data })
    : respondJson(visit, 202, { data }, POLL_AGAIN)
}
