import { webAddress } from '@/web/web-address'
import type { FeedEvent } from '../feed'
import { pictureType } from './addresses'
import { content } from './content'
import { readableEvent } from './readable'
import { when } from './when'
import { headline, summary } from './words'

/** An event as news: texts are plain, `content` is HTML, addresses are absolute and of the web. */
export type Entry = {
  /** The same for life, whatever happens to the event, to its address and to this server's. */
  id: string
  /** Null: its own address is none, which no reader should suffer from. */
  url: string | null
  title: string
  summary: string
  content: string
  /** The group. */
  author: string
  tags: string[]
  /** Its type is null where the address does not tell. */
  picture: { url: string; type: string | null } | null
  published: Date
  updated: Date
  event: FeedEvent
}

export function entryOf(raw: FeedEvent): Entry {
  const event = readableEvent(raw)
  const { starts, lasts } = when(event)
  const picture = webAddress(event.photoUrl)
  return {
    id: `urn:uuid:${event.id}`,
    url: webAddress(event.url),
    title: headline(event, starts),
    summary: summary(event, lasts),
    content: content({ event, lasts, picture }),
    author: event.group.name || event.group.urlname,
    tags: event.tags,
    picture: picture === null ? null : { url: picture, type: pictureType(picture) },
    published: published(event),
    updated: event.updatedAt,
    event,
  }
}

/** Rows that came from elsewhere may have been published in the future: news are not younger than their last change. */
export const published = ({ publishedAt, updatedAt }: FeedEvent): Date =>
  publishedAt.getTime() < updatedAt.getTime() ? publishedAt : updatedAt
