import { html } from '@/web/html'
import { linked, paragraphs } from '@/web/prose'
import { webAddress } from '@/web/web-address'
import type { FeedEvent } from '../feed'
import { readable, readableEvent } from './readable'
import { when } from './when'

const SUMMARY_MAX = 300

/** The place in a line. */
function where({ eventType, venue }: FeedEvent): string {
  if (eventType === 'online') return 'Online'
  const place = venue
    ? [venue.name, venue.address, venue.city, venue.state, venue.postalCode, venue.country]
        .filter(Boolean)
        .join(', ')
    : 'To be announced'
  return eventType === 'hybrid' ? `${place}, and online` : place
}

const answered = (answer: 'confirmed' | 'waitlisted') =>
  answer === 'confirmed' ? 'You have a seat.' : 'You are on the waitlist.'

/** The date is a part of it, because the date that readers show beside it is that of the news. */
const headline = ({ title, status }: FeedEvent, starts: string) =>
  `${status === 'cancelled' ? 'Cancelled: ' : ''}${title} · ${starts}`

const cancelled = ({ cancelReason }: FeedEvent) =>
  cancelReason ? `Cancelled: ${cancelReason}.` : 'Cancelled.'

/** A few lines of text. */
function summary(event: FeedEvent, lasts: string): string {
  const facts = [
    event.status === 'cancelled' && cancelled(event),
    event.answer && answered(event.answer),
    `${lasts}.`,
    `${where(event)}.`,
    event.group.name,
  ]
  const text = `${facts.filter(Boolean).join(' ')}. ${event.description?.slice(0, SUMMARY_MAX) ?? ''}`
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim()
  return text.length > SUMMARY_MAX ? `${readable(text.slice(0, SUMMARY_MAX)).trim()}...` : text
}

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

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}

/** The media type that an address promises, or null. */
function pictureType(address: string): string | null {
  const ending = /^[^?#]*\.([a-z]{3,4})(?:[?#]|$)/i.exec(address)?.[1]
  return (ending && TYPES[ending.toLowerCase()]) || null
}

type Shown = { event: FeedEvent; lasts: string; picture: string | null }

/** What a reader shows of an event: all markup is ours, whatever people typed is text. */
function content({ event, lasts, picture }: Shown): string {
  const join = webAddress(event.onlineUrl)
  return html`${
    event.status === 'cancelled' &&
    html`<p><strong>Cancelled.</strong>${event.cancelReason && [' ', linked(event.cancelReason)]}</p>`
  }${event.answer && html`<p><strong>${answered(event.answer)}</strong></p>`}<p>When: ${lasts}</p><p>Where: ${where(event)}</p>${
    join && html`<p>Join: <a href="${join}">${join}</a></p>`
  }<p>Group: ${event.group.name}</p>${picture && html`<p><img src="${picture}" alt=""></p>`}${paragraphs(
    event.description ?? '',
  )}${event.tags.length > 0 && html`<p>Tags: ${event.tags.join(', ')}</p>`}`.text
}
