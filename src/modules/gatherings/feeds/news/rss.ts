import { type Extension, Feed, type Item } from 'feed'
import { html } from '@/web/html'
import type { Renderer } from '../feed'
import type { Entry } from './entry'
import { framed, GENERATOR, lastChange } from './frame'
import { Texts } from './markup'

const SYNDICATION = { 'xmlns:sy': 'http://purl.org/rss/1.0/modules/syndication/' }

/** How often it is worth asking, in minutes and in the words of an older module. */
const TTL_MINUTES = 60
const HOURLY: Extension[] = [
  { name: 'sy:updatePeriod', objects: { _attributes: SYNDICATION, _text: 'hourly' } },
  { name: 'sy:updateFrequency', objects: { _attributes: SYNDICATION, _text: '1' } },
]

/** RSS 2.0 by the profile of the RSS Advisory Board: titles are text, descriptions HTML. */
export const renderRss: Renderer = (head, events) => {
  const texts = new Texts()
  const feed = new Feed({
    title: texts.keep(head.title),
    description: texts.keep(head.description),
    link: head.pageUrl,
    feed: head.addresses.rss,
    hub: head.hubUrl ?? undefined,
    updated: lastChange(events),
    ttl: TTL_MINUTES,
    generator: GENERATOR,
  })
  for (const extension of HOURLY) feed.addExtension(extension)
  return framed(events, {
    feed,
    item: (entry) => itemOf(entry, texts, head.pageUrl),
    write: (some) => some.rss2(),
    cut: texts.cutAround('item'),
    between: '\n        ',
  })
}

const itemOf = ({ picture, ...entry }: Entry, texts: Texts, pageUrl: string): Item => ({
  id: entry.id,
  link: entry.url ?? pageUrl,
  title: texts.keep(entry.title),
  description: texts.keep(html`${entry.summary}`.text),
  content: texts.keep(entry.content),
  category: entry.tags.map((tag) => ({ name: texts.keep(tag) })),
  date: entry.updated,
  published: entry.published,
  // A length that is not known is 0, says the profile. A type that is not known may not be left out.
  ...(picture?.type && { image: { url: picture.url, type: picture.type, length: 0 } }),
  // RSS has only the mail address of an author, and a group has none.
  extensions: [{ name: 'dc:creator', objects: { _text: texts.keep(entry.author) } }],
})
