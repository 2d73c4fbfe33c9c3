import { Feed, type Item } from 'feed'
import { html } from '@/web/html'
import type { Renderer } from '../feed'
import { PICTURE_TYPES } from './addresses'
import type { Entry } from './entry'
import { framed, GENERATOR, lastChange } from './frame'
import { cutMarkup, inert } from './markup'

/** Atom 1.0. Its titles and summaries are HTML, because `feed` says so. */
export const renderAtom: Renderer = (head, events) => {
  const feed = new Feed({
    id: inert(head.addresses.atom),
    title: inert(head.title),
    description: inert(head.description),
    link: head.pageUrl,
    feed: head.addresses.atom,
    hub: head.hubUrl ?? undefined,
    updated: lastChange(events),
    generator: GENERATOR,
    // For a feed without entries, which have authors of their own.
    author: { name: inert(head.title) },
  })
  return framed(events, {
    feed,
    item: (entry) => itemOf(entry, head.pageUrl),
    write: (some) => typed(some.atom1()),
    cut: cutMarkup('entry'),
    between: '\n    ',
  })
}

const asHtml = (text: string) => inert(html`${text}`.text)

const itemOf = ({ picture, ...entry }: Entry, pageUrl: string): Item => ({
  id: entry.id,
  link: entry.url ?? pageUrl,
  title: asHtml(entry.title),
  description: asHtml(entry.summary),
  content: inert(entry.content),
  category: entry.tags.map((tag) => ({ term: inert(tag) })),
  date: entry.updated,
  published: entry.published,
  author: [{ name: inert(entry.author) }],
  ...(picture?.type && { image: picture.url }),
})

/** `feed` takes the ending of an address for the type of a picture. */
const typed = (markup: string) =>
  markup.replace(
    / type="image\/(\w+)"/g,
    (_, ending: string) => ` type="${PICTURE_TYPES[ending.toLowerCase()]}"`,
  )
