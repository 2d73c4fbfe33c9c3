import { type Extension, Feed, type Item } from 'feed'
import { html } from '@/web/html'
import type { Renderer } from '../feed'
import { slot } from './form'
import { GENERATOR, lastChange } from './frame'
import { renderMarkup, type Shape, STAND_IN } from './markup'

const SYNDICATION = { 'xmlns:sy': 'http://purl.org/rss/1.0/modules/syndication/' }

/** Suggested polling interval, as `ttl` and as the syndication module. */
const TTL_MINUTES = 60
const HOURLY: Extension[] = [
  { name: 'sy:updatePeriod', objects: { _attributes: SYNDICATION, _text: 'hourly' } },
  { name: 'sy:updateFrequency', objects: { _attributes: SYNDICATION, _text: '1' } },
]

/** RSS 2.0, RSS Advisory Board profile: titles are text, descriptions HTML. */
export const renderRss: Renderer = (head, events) => {
  const feed = new Feed({
    title: slot('title'),
    description: slot('description'),
    link: head.pageUrl,
    feed: head.addresses.rss,
    hub: head.hubUrl ?? undefined,
    updated: lastChange(events),
    ttl: TTL_MINUTES,
    generator: GENERATOR,
  })
  for (const extension of HOURLY) feed.addExtension(extension)
  return renderMarkup({ ...head, description: html`${head.description}`.text }, events, {
    feed,
    item: itemOf,
    write: (some) => some.rss2(),
    element: 'item',
    between: '\n        ',
    values: ({ title, summary, published }) => ({
      title,
      summary: html`${summary}`.text,
      published: published.toUTCString(),
    }),
  })
}

const itemOf = ({ tags, hasPicture }: Shape): Item => ({
  id: STAND_IN.id,
  link: STAND_IN.url,
  title: slot('title'),
  description: slot('summary'),
  content: slot('content'),
  category: tags.map((name) => ({ name })),
  date: STAND_IN.updated,
  published: STAND_IN.published,
  // The profile wants length 0 if unknown; the type is mandatory.
  ...(hasPicture && { image: { url: STAND_IN.picture, type: STAND_IN.type, length: 0 } }),
  // RSS authors are email addresses, which groups do not have.
  extensions: [{ name: 'dc:creator', objects: { _text: slot('author') } }],
})
