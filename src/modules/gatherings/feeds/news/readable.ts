import type { FeedEvent, FeedVenue } from '../feed'

/**
 * Characters that XML forbids (C0 controls, lone surrogates, U+FFFE, U+FFFF), plus DEL and the C1 controls. They are invisible, so
 * they are removed, not replaced.
 */
const UNREADABLE = /[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
/** The test costs a fifth of the replacement, and most texts pass it. */
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/

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

/** The only place that cleans texts for feeds. */
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
