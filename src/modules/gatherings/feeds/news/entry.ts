import { html } from '@/web/html'
import { linked, paragraphs, webAddress } from '@/web/prose'
import type { FeedEvent } from '../feed'
import { readable, readableEvent } from './readable'
import { when } from './when'

const SUMMARY_MAX = 300

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

/** Includes the event date: readers show only the publication date. */
const headline = ({ title, status }: FeedEvent, starts: string) =>
  `${status === 'cancelled' ? 'Cancelled: ' : ''}${title} · ${starts}`

const cancelled = ({ cancelReason }: FeedEvent) =>
  cancelReason ? `Cancelled: ${cancelReason}.` : 'Cancelled.'

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

/** Texts are plain, `content` is HTML, URLs are absolute http(s). */
export type Entry = {
  /** Permanent, even if the event's URL or the server's domain changes. */
  id: string
  /** Null if the stored URL is invalid. */
  url: string | null
  title: string
  summary: string
  content: string
  author: string
  tags: string[]
  /** Null type if the URL does not reveal it. */
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

/** Synced events may have a publication date in the future: cap it at the last change. */
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

/** Guesses the media type from the file extension. */
function pictureType(address: string): string | null {
  const ending = /^[^?#]*\.([a-z]{3,4})(?:[?#]|$)/i.exec(address)?.[1]
  return (ending && TYPES[ending.toLowerCase()]) || null
}

type Shown = { event: FeedEvent; lasts: string; picture: string | null }

/** All user text is escaped; all markup is ours. */
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
