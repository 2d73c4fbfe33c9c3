import { Feed, type Item } from 'feed'
import { html } from '@/web/html'
import type { Renderer } from '../feed'
import { PICTURE_TYPES } from './addresses'
import type { Entry } from './entry'
import { framed, GENERATOR, lastChange } from './frame'
import { Texts } from './markup'

/** Atom 1.0. Its titles and summaries are HTML, because `feed` says so. */
export const renderAtom: Renderer = (head, events) => {
  const texts = new Texts()
  const feed = new Feed({
    id: texts.keep(head.addresses.atom),
    title: texts.keep(head.title),
    description: texts.keep(head.description),
    link: head.pageUrl,
    feed: head.addresses.atom,
    hub: head.hubUrl ?? undefined,
    updated: lastChange(events),
    generator: GENERATOR,
    // For a feed without entries, which have authors of their own.
    author: { name: texts.keep(head.title) },
  })
  return framed(events, {
    feed,
    item: (entry) => itemOf(entry, texts, head.pageUrl),
    write: (some) => typed(some.atom1()),
    cut: texts.cutAround('entry'),
    between: '\n    ',
  })
}

const asHtml = (text: string) => html`${text}`.text

const itemOf = ({ picture, ...entry }: Entry, texts: Texts, pageUrl: string): Item => ({
  id: entry.id,
  link: entry.url ?? pageUrl,
  title: texts.keep(asHtml(entry.title)),
  description: texts.keep(asHtml(entry.summary)),
  content: texts.keep(entry.content),
  category: entry.tags.map((tag) => ({ term: texts.keep(tag) })),
  date: entry.updated,
  published: entry.published,
  author: [{ name: texts.keep(entry.author) }],
  ...(picture?.type && { image: picture.url }),
})

/** `feed` takes the ending of an address for the type of a picture. */
const typed = (markup: string) =>
  markup.replace(
    / type="image\/(\w+)"/g,
    (_, ending: string) => ` type="${PICTURE_TYPES[ending.toLowerCase()]}"`,
  )
