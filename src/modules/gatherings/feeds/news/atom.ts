import { Feed, type Item } from 'feed'
import { html } from '@/web/html'
import type { Renderer } from '../feed'
import { slot } from './form'
import { GENERATOR, lastChange } from './frame'
import { renderMarkup, type Shape, STAND_IN } from './markup'

/** `feed` calls every title HTML. Ours are text, which readers show without looking for markup in it. */
const withPlainTitles = (written: string) => written.replaceAll('<title type="html">', '<title type="text">')

/** Atom 1.0. Summaries are HTML, because `feed` says so. */
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
    // For a feed without entries, which have authors of their own.
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
  // As text: it would say a length of 0 otherwise.
  ...(hasPicture && { image: STAND_IN.picture }),
})
