import { Feed, type Item } from 'feed'
import { html } from '@/web/html'
import type { Renderer } from '../feed'
import { slot } from './form'
import { GENERATOR, lastChange } from './frame'
import { renderMarkup, type Shape, STAND_IN } from './markup'

/** `feed` marks every title as HTML; ours are plain text. */
const withPlainTitles = (written: string) => written.replaceAll('<title type="html">', '<title type="text">')

/** Atom 1.0. `feed` declares summaries as HTML. */
export const renderAtom: Renderer = (head, events) => {
  const feed = new Feed({
    id: slot('self'),
    title: slot('title'),
    description: slot('description'),
    link: head.pageUrl,
    feed: head.addresses.atom,
    hub: head.hubUrl ?? undefined,
    updated: lastChange(events),
    generator: GENERATOR,
    // Atom requires an author for feeds without entries.
    author: { name: slot('title') },
  })
  return renderMarkup(head, events, {
    feed,
    item: itemOf,
    write: (some) => withPlainTitles(some.atom1()),
    element: 'entry',
    between: '\n    ',
    values: ({ title, summary, published, updated }) => ({
      title,
      summary: html`${summary}`.text,
      published: published.toISOString(),
      updated: updated.toISOString(),
    }),
  })
}

const itemOf = ({ tags, hasPicture }: Shape): Item => ({
  id: STAND_IN.id,
  link: STAND_IN.url,
  title: slot('title'),
  description: slot('summary'),
  content: slot('content'),
  category: tags.map((term) => ({ term })),
  date: STAND_IN.updated,
  published: STAND_IN.published,
  author: [{ name: slot('author') }],
  // A string, because an object would get length="0".
  ...(hasPicture && { image: STAND_IN.picture }),
})
