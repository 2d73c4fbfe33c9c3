import type { Feed, Item } from 'feed'
import type { FeedEvent, FeedHead } from '../feed'
import type { Entry } from './entry'
import { type Form, formOf, slot } from './form'
import { framed } from './frame'

/** Dummy values where `feed` parses its input (dates and URLs) and takes no placeholder. */
export const STAND_IN = {
  id: 'urn:uuid:00000000-0000-0000-0000-000000000000',
  url: 'https://url.invalid/',
  picture: 'https://picture.invalid/a.png',
  type: 'image/png',
  published: new Date('9998-01-01T00:00:00Z'),
  updated: new Date('9999-01-01T00:00:00Z'),
}

const slotted = (written: string): string =>
  Object.entries(STAND_IN).reduce((text, [name, value]) => {
    const forms = value instanceof Date ? [value.toISOString(), value.toUTCString()] : [value]
    return forms.reduce((rest, form) => rest.replaceAll(form, slot(name)), text)
  }, written)

/** The facts that decide which elements an entry has. Each tag gets a placeholder. */
export type Shape = { tags: string[]; hasPicture: boolean }

type Markup = {
  feed: Feed
  item: (shape: Shape) => Item
  write: (feed: Feed) => string
  element: string
  between: string
  values: (entry: Entry) => Record<string, string>
}

/** Renders one template per shape of entry. */
export function renderMarkup(head: FeedHead, events: readonly FeedEvent[], markup: Markup): Promise<string> {
  const written = (shape: Shape) => {
    markup.feed.items = [markup.item(shape)]
    return cutAround(markup.element, markup.write(markup.feed))
  }
  const forms = new Map<string, Form>()
  const formFor = ({ tags, picture }: Entry): Form => {
    const key = `${tags.length} ${picture?.type ? 'with' : 'without'} picture`
    const shape = () => ({ tags: tags.map((_, i) => slot(`tag${i}`)), hasPicture: Boolean(picture?.type) })
    const form = forms.get(key) ?? formOf(slotted(written(shape())[1]))
    forms.set(key, form)
    return form
  }
  // The frame comes from a document with one entry, so that all namespaces are declared.
  const [before, , after] = written({ tags: [], hasPicture: false })
  return framed(events, {
    before: formOf(before)({ title: head.title, description: head.description, self: head.addresses.atom }),
    entry: (entry) => formFor(entry)(valuesOf(entry, head, markup)),
    between: markup.between,
    after,
  })
}

const valuesOf = (entry: Entry, head: FeedHead, { values }: Markup): Record<string, string> => ({
  id: entry.id,
  url: entry.url ?? head.pageUrl,
  content: entry.content,
  author: entry.author,
  ...(entry.picture?.type && { picture: entry.picture.url, type: entry.picture.type }),
  ...Object.fromEntries(entry.tags.map((tag, i) => [`tag${i}`, tag])),
  ...values(entry),
})

function cutAround(element: string, written: string): [before: string, elements: string, after: string] {
  const from = written.indexOf(`<${element}>`)
  const to = written.lastIndexOf(`</${element}>`) + element.length + 3
  return [written.slice(0, from), written.slice(from, to), written.slice(to)]
}
