export const FORMATS = ['ics', 'rss', 'atom', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** The rest of a text is on the event's page: a feed of long ones would be more than programs take, and than this server can send often. */
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

/** An event as feeds show it. It has no counts: an RSVP must not change the bytes of a feed. */
export type FeedEvent = {
  id: string
  title: string
  description: string | null
  startTime: Date
  endTime: Date | null
  /** The end, or three hours after the start. */
  overAt: Date
  /** An IANA name. */
  timezone: string
  eventType: 'physical' | 'online' | 'hybrid'
  status: 'published' | 'cancelled'
  cancelReason: string | null
  tags: string[]
  photoUrl: string | null
  venue: FeedVenue | null
  /** Only in a person's own feed, where they have a seat. */
  onlineUrl: string | null
  group: { name: string; urlname: string }
  /** Its page. */
  url: string
  /** Rises with time, place and status, and in a person's own feed with their answer. */
  sequence: number
  publishedAt: Date
  /** When the row changed, and in a person's own feed their answer. */
  updatedAt: Date
  /** The reader's own answer: null in public feeds, and for favorites without one. */
  answer: 'confirmed' | 'waitlisted' | null
}

/** What a feed says of itself. */
export type FeedHead = {
  title: string
  description: string
  /** Its canonical address in each format. */
  addresses: Readonly<Record<Format, string>>
  /** The page that shows the same. */
  pageUrl: string
  /** Null: it announces no hub. */
  hubUrl: string | null
}

/** The same input gives the same bytes; it works in turns. */
export type Renderer = (head: FeedHead, events: readonly FeedEvent[]) => Promise<string>
