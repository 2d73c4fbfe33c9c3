import type { FeedEvent, FeedVenue } from '../feed'

/**
 * What no XML can carry (C0 controls, halves of surrogate pairs, U+FFFE and U+FFFF), and DEL and the C1 controls, which it can,
 * but which no person typed. Left out rather than replaced: they were invisible.
 */
const UNREADABLE = /[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
/** Looking alone costs a fifth of it, and nearly every text is readable as it is. */
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/

/** A text as every format can carry it. */
export const readable = (text: string): string =>
  text.isWellFormed() && !SUSPECT.test(text) ? text : text.replace(/\r\n?/g, '\n').replace(UNREADABLE, '')

const orNull = (text: string | null) => (text === null ? null : readable(text))

const readableVenue = (venue: FeedVenue): FeedVenue => ({
  ...venue,
  name: readable(venue.name),
  address: orNull(venue.address),
  city: orNull(venue.city),
  state: orNull(venue.state),
  postalCode: orNull(venue.postalCode),
  country: orNull(venue.country),
})

/** An event whose texts every format can carry: they are cleaned here and nowhere else. */
export const readableEvent = (event: FeedEvent): FeedEvent => ({
  ...event,
  title: readable(event.title),
  description: orNull(event.description),
  timezone: readable(event.timezone),
  cancelReason: orNull(event.cancelReason),
  tags: event.tags.map((tag) => readable(tag).replace(/\s+/g, ' ').trim()).filter(Boolean),
  venue: event.venue && readableVenue(event.venue),
  group: { name: readable(event.group.name), urlname: readable(event.group.urlname) },
})
