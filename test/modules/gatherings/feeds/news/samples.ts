import type { FeedEvent, FeedHead } from '@/modules/gatherings/feeds/feed'

export const HEAD: FeedHead = {
  title: 'Events of Folkmoot',
  description: 'What is on.',
  addresses: {
    ics: 'https://moot.example/feeds/events.ics?city=Lisbon&tag=rust',
    rss: 'https://moot.example/feeds/events.rss?city=Lisbon&tag=rust',
    atom: 'https://moot.example/feeds/events.atom?city=Lisbon&tag=rust',
    json: 'https://moot.example/feeds/events.json?city=Lisbon&tag=rust',
  },
  pageUrl: 'https://moot.example/events',
  hubUrl: 'https://moot.example/websub',
}

export const idOf = (n: number) => `0198f0a0-0000-7000-8000-${String(n).padStart(12, '0')}`

/** An event as feeds are given it; a higher number is younger news. */
export const sample = (n = 1, fields: Partial<FeedEvent> = {}): FeedEvent => ({
  id: idOf(n),
  title: `Event ${n}`,
  description: 'A talk, and time for questions.',
  startTime: new Date('2026-10-03T17:30:00Z'),
  endTime: new Date('2026-10-03T19:30:00Z'),
  overAt: new Date('2026-10-03T19:30:00Z'),
  timezone: 'Europe/Lisbon',
  eventType: 'physical',
  status: 'published',
  cancelReason: null,
  tags: ['rust'],
  photoUrl: 'https://moot.example/uploads/photo.webp',
  venue: {
    name: 'Town Hall',
    address: 'Rua Augusta 1',
    city: 'Lisbon',
    state: null,
    postalCode: '1100-048',
    country: 'Portugal',
    latitude: 38.71,
    longitude: -9.14,
  },
  onlineUrl: null,
  group: { name: 'Rust Lisbon', urlname: 'rust-lisbon' },
  url: `https://moot.example/events/${idOf(n)}`,
  sequence: 0,
  publishedAt: new Date(Date.UTC(2026, 4, 1) + n * 60_000),
  updatedAt: new Date(Date.UTC(2026, 4, 2) + n * 60_000),
  answer: null,
  ...fields,
})
