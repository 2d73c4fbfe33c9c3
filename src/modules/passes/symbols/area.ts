import type { TObject, TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Action } from '@/core/action'
import { parameter } from '@/http/openapi/operation'
import type { Json } from '@/http/openapi/schemas'
import { NOT_MODIFIED, refused } from '@/http/openapi/shared'
import { respondTagged, type Tagged } from '@/http/respond'
import { OPEN } from '@/http/route-traits'
import { HIDDEN, serveDocument } from '@/http/serve'
import { PASS_PARAMETER } from '@/modules/passes/passes/schema'
import { readPassNdef, readPassPng, readPassSvg } from './actions'

/** `more` are further responses for the API description. */
function symbol<I extends TObject>(
  action: Action<I, TSchema & { static: Tagged }>,
  type: string,
  description: string,
  more: Record<string, Json> = {},
) {
  // The base URL may change, so symbols expire after a day.
  const headers = { 'content-type': type, 'cache-control': 'private, max-age=86400' }
  const { id: _, ...query } = action.input.properties as Record<string, TSchema>
  return serveDocument(action, {
    // Shows the caller's rate limit without charging it.
    traits: { ...OPEN, identifies: true, showsBudget: true },
    send: (visit, bytes) => respondTagged(visit, bytes, headers),
    parameters: [
      PASS_PARAMETER,
      ...Object.entries(query).map(([name, schema]) => parameter('query', name, schema, false, new Map())),
    ],
    responses: {
      200: { description, content: { [type]: { schema: { type: 'string', format: 'binary' } } } },
      304: NOT_MODIFIED,
      404: refused('not_found'),
      ...more,
      429: refused('rate_limited'),
    },
  })
}

const svg = symbol(readPassSvg, 'image/svg+xml', 'The symbol as SVG.')
const png = symbol(readPassPng, 'image/png', 'The symbol as PNG.')
const ndef = symbol(readPassNdef, 'application/vnd.nfc.ndef', 'The message.', { 409: refused('conflict') })

/** Upper-case paths are for suffixes typed after a printed URL. */
const symbolRoutes = new Elysia({ tags: ['MeetPass'] })
  .get('/pass/:id/qr.svg', ...svg)
  .get('/pass/:id/qr.png', ...png)
  .get('/pass/:id/ndef', ...ndef)
  .get('/PASS/:id/qr.svg', svg[0], HIDDEN)
  .get('/PASS/:id/qr.png', png[0], HIDDEN)
  .get('/PASS/:id/ndef', ndef[0], HIDDEN)

export const symbolsArea = {
  routes: symbolRoutes,
}
