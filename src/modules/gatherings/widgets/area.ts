import { Elysia } from 'elysia'
import type { Json } from '@/http/openapi/schemas'
import { described, hoist } from '@/http/openapi/schemas'
import { NOT_MODIFIED, refused } from '@/http/openapi/shared'
import { type Protocol, protocol } from '@/http/protocol'
import { API, OPEN, PLAIN } from '@/http/route-traits'
import { OEMBED_QUERY, sendEmbed } from './oembed/send'
import { THEMES } from './request'
import { sendScript, sendWidget } from './send'

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

const number = { type: 'integer' }

const EMBED: Json = {
  type: 'object',
  required: [
    'version',
    'type',
    'title',
    'provider_name',
    'provider_url',
    'cache_age',
    'html',
    'width',
    'height',
  ],
  properties: {
    version: { const: '1.0', description: 'Version of oEmbed.' },
    type: { const: 'rich', description: 'What `html` holds: a frame.' },
    title: text,
    author_name: text,
    author_url: text,
    provider_name: text,
    provider_url: text,
    cache_age: { ...number, description: 'Seconds.' },
    html: { ...text, description: 'A frame with a widget.' },
    width: number,
    height: number,
    thumbnail_url: { ...text, description: 'Of a picture that was uploaded here; none for others.' },
    thumbnail_width: number,
    thumbnail_height: number,
  },
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

const widgetRoutes = new Elysia({ tags: ['Public'] })
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
      sendScript,
      OPEN,
    ),
  )
  .get(
    '/oembed',
    ...protocol(
      {
        name: 'readEmbed',
        summary: 'Learn how to embed an event, a group or a widget (oEmbed 1.0)',
        description:
          'For sites that turn a link into a preview. An unlisted group, a draft and an address that is not ours are all the same 404.',
        parameters: Object.entries(OEMBED_QUERY.properties).map(([name, schema]) => {
          const { description, ...rest } = described(name, hoist(schema, null) as Json)
          return {
            name,
            in: 'query',
            required: name === 'url',
            ...(description ? { description } : {}),
            schema: rest,
          }
        }),
        responses: {
          200: {
            description: 'The frame to put into the page.',
            content: { 'application/json': { schema: EMBED }, 'text/xml': { schema: text } },
          },
          304: NOT_MODIFIED,
          404: refused('not_found'),
        },
      },
      sendEmbed,
      API,
    ),
  )

export const widgetsArea = {
  routes: widgetRoutes,
}
