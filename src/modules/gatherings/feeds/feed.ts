export const FORMATS = ['ics', 'rss', 'atom', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** Feeds truncate descriptions: long ones would exceed what programs accept and this server can send often. */
export const TEXT_MAX = 2000

export type FeedVenue = {
  name: string
  address: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string | null
  latitude: number | null
  longitude: number | null
}

/** An event in feeds. No counts: an RSVP must not change a feed's bytes. */
export type FeedEvent = {
  id: string
  title: string
  description: string | null
  startTime: Date
  endTime: Date | null
  overAt: Date
  timezone: string
  eventType: 'physical' | 'online' | 'hybrid'
  status: 'published' | 'cancelled'
  cancelReason: string | null
  tags: string[]
  photoUrl: string | null
  venue: FeedVenue | null
  /** Only in the personal feed of confirmed guests. */
  onlineUrl: string | null
  group: { name: string; urlname: string }
  url: string
  /** Increments with time, place and status; in personal feeds also with the reader's RSVP. */
  sequence: number
  publishedAt: Date
  /** When the event changed; in personal feeds also when the RSVP did. */
  updatedAt: Date
  /** The reader's RSVP: null in public feeds and for events of joined groups without one. */
  answer: 'confirmed' | 'waitlisted' | null
}

export type FeedHead = {
  title: string
  description: string
  /** Canonical URL per format. */
  addresses: Readonly<Record<Format, string>>
  /** The HTML page with the same events. */
  pageUrl: string
  /** Null if the feed has no hub. */
  hubUrl: string | null
}

/** Deterministic, and yields between slices. */
export type Renderer = (head: FeedHead, events: readonly FeedEvent[]) => Promise<string>
