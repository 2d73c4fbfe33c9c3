import type { FeedEvent, FeedHead } from '@/modules/gatherings/feeds/feed'

let count = 0

export function feedEvent(fields: Partial<FeedEvent> = {}): FeedEvent {
  count += 1
  const startTime = fields.startTime ?? new Date('2027-05-06T17:30:00Z')
  return {
    id: `01890000-0000-7000-8000-${String(count).padStart(12, '0')}`,
    title: 'Rust evening',
    description: 'Talks and tea.',
    startTime,
    endTime: null,
    overAt: fields.endTime ?? new Date(startTime.getTime() + 3 * 3_600_000),
    timezone: 'Europe/Lisbon',
    eventType: 'physical',
    status: 'published',
    cancelReason: null,
    tags: [],
    photoUrl: null,
    venue: null,
    onlineUrl: null,
    group: { name: 'Lisbon Rust', urlname: 'lisbon-rust' },
    url: `https://moot.example/events/${count}`,
    sequence: 0,
    publishedAt: new Date('2027-01-02T03:04:05Z'),
    updatedAt: new Date('2027-02-03T04:05:06Z'),
    answer: null,
    ...fields,
  }
}

export const venue = (fields: Partial<NonNullable<FeedEvent['venue']>> = {}) => ({
  name: 'Casa',
  address: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
  latitude: null,
  longitude: null,
  ...fields,
})

export const feedHead = (fields: Partial<FeedHead> = {}): FeedHead => ({
  title: 'Events',
  description: 'What happens next',
  addresses: {
    ics: 'https://moot.example/feeds/events.ics',
    rss: 'https://moot.example/feeds/events.rss',
    atom: 'https://moot.example/feeds/events.atom',
    json: 'https://moot.example/feeds/events.json',
  },
  pageUrl: 'https://moot.example/',
  hubUrl: null,
  ...fields,
})
