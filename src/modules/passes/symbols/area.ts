import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { parameter } from '@/http/openapi/operation'
import type { Json } from '@/http/openapi/schemas'
import { NOT_MODIFIED, refused } from '@/http/openapi/shared'
import { plain } from '@/http/plain'
import { protocol } from '@/http/protocol'
import { OPEN, type Traits } from '@/http/route-traits'
import { PngQuery, SvgQuery } from './schema'
import { NDEF, PNG, SVG, sendNdef, sendPng, sendSvg } from './send'

/** The address of the pass is the only credential; shows the caller's rate limit without charging it. */
const OF_A_PASS: Traits = { ...OPEN, identifies: true, showsBudget: true }

const ID: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Of the pass, in upper or lower case.',
  schema: { type: 'string' },
}

const parameters = (properties: Record<string, TSchema>): Json[] => [
  ID,
  ...Object.entries(properties).map(([name, schema]) => parameter('query', name, schema, false, new Map())),
]

const responses = (description: string, headers: typeof SVG): Record<string, Json> => ({
  200: {
    description,
    content: { [headers['content-type']]: { schema: { type: 'string', format: 'binary' } } },
  },
  304: NOT_MODIFIED,
  404: refused('not_found'),
  429: refused('rate_limited'),
})

const ALWAYS = 'The same bytes as long as the pass is there, also while it is inactive.'

/** Upper-case paths are for suffixes typed after a printed URL. */
const symbolRoutes = new Elysia({ tags: ['MeetPass'] })
  .get(
    '/pass/:id/qr.svg',
    ...protocol(
      {
        name: 'readPassSvg',
        summary: 'Draw the QR symbol of a pass',
        description: `Black on white; one millimetre per module unless scaled. ${ALWAYS}`,
        parameters: parameters(SvgQuery.properties),
        responses: responses('The symbol as SVG.', SVG),
      },
      sendSvg,
      OF_A_PASS,
    ),
  )
  .get(
    '/pass/:id/qr.png',
    ...protocol(
      {
        name: 'readPassPng',
        summary: 'Draw the QR symbol of a pass in pixels',
        description: `Each module has the same whole number of pixels; the rest is margin. ${ALWAYS}`,
        parameters: parameters(PngQuery.properties),
        responses: responses('The symbol as PNG.', PNG),
      },
      sendPng,
      OF_A_PASS,
    ),
  )
  .get(
    '/pass/:id/ndef',
    ...protocol(
      {
        name: 'readPassNdef',
        summary: 'Read the NDEF message of a pass',
        description: `An NDEF message of one URI record, at most 100 bytes. ${ALWAYS} 409 if the server's address is too long for that.`,
        parameters: parameters({}),
        responses: { ...responses('The message.', NDEF), 409: refused('conflict') },
      },
      sendNdef,
      OF_A_PASS,
    ),
  )
  .get('/PASS/:id/qr.svg', ...plain(sendSvg, OF_A_PASS))
  .get('/PASS/:id/qr.png', ...plain(sendPng, OF_A_PASS))
  .get('/PASS/:id/ndef', ...plain(sendNdef, OF_A_PASS))

export const symbolsArea = {
  routes: symbolRoutes,
}
