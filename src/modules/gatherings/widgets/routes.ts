import { Elysia } from 'elysia'
import type { Json } from '@/http/openapi/schemas'
import { NOT_MODIFIED } from '@/http/openapi/shared'
import { type Protocol, protocol } from '@/http/protocol'
import { OPEN, PLAIN } from '@/http/route-traits'
import { THEMES } from './asked'
import { embedScript, SCRIPT_HEADERS } from './embed/script'
import { sendKept, sendWidget } from './send'

const text = { type: 'string' }

const GROUPS: Json = {
  name: 'groups',
  in: 'query',
  description:
    'URL names of groups, separated by commas; names that are no listed group’s are passed over. All groups when left out.',
  schema: text,
}
const THEME: Json = {
  name: 'theme',
  in: 'query',
  description: 'Colours; `auto` follows the reader.',
  schema: { type: 'string', enum: [...THEMES] },
}
const EVENT: Json = {
  name: 'event',
  in: 'query',
  description: 'The id of the one event to show, instead of the next one.',
  schema: text,
}

const framed = (name: string, summary: string, parameters: Json[]): Protocol => ({
  name,
  summary,
  description:
    'A document made to be framed by any site: the same bytes for everyone, without a cookie, and not counted. `/widget.js` puts it into a page.',
  parameters,
  responses: {
    200: { description: 'The widget.', content: { 'text/html': { schema: text } } },
    304: NOT_MODIFIED,
  },
})

export const widgetRoutes = new Elysia({ tags: ['Public'] })
  .get(
    '/widget/next-event',
    ...protocol(
      framed('showNextEventWidget', 'Show the next event, to be framed', [GROUPS, THEME, EVENT]),
      (visit) => sendWidget(visit, 'next-event'),
      PLAIN,
    ),
  )
  .get(
    '/widget/carousel',
    ...protocol(
      framed('showCarouselWidget', 'Show upcoming events side by side, to be framed', [GROUPS, THEME]),
      (visit) => sendWidget(visit, 'carousel'),
      PLAIN,
    ),
  )
  .get(
    '/widget.js',
    ...protocol(
      {
        name: 'readWidgetScript',
        summary: 'Load the script that puts a widget into a page',
        responses: {
          200: { description: 'The script.', content: { 'text/javascript': { schema: text } } },
          304: NOT_MODIFIED,
        },
      },
      (visit) => sendKept(visit, embedScript, SCRIPT_HEADERS),
      OPEN,
    ),
  )
