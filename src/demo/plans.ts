export type Plan = {
  group: number
  title: string
  /** Days from now; negative for the past. */
  days: number
  /** The first such weekday from then on; 0 is Sunday. */
  weekday?: number
  /** Local time of the event. */
  at: string
  hours?: number | null
  timezone: string
  about: string
  status?: 'draft' | 'published' | 'cancelled'
  eventType?: 'physical' | 'online' | 'hybrid'
  maxAttendees?: number
  venue?: [name: string, city: string, address: string]
  tags?: string[]
  guests?: number
  came?: number
}

/** Events in every state and several time zones. */
export const PLANS: Plan[] = [
  {
    group: 0,
    title: 'Sunday ride along the river',
    days: 3,
    weekday: 0,
    at: '09:30',
    about:
      'An easy ride of forty kilometres along the water, out to the old lock and back. We wait at every hill, and nobody rides alone.\n\nThere is coffee at the halfway point, and a spare tube in somebody’s bag. Any bicycle will do; lights and a helmet are a good idea.\n\nThe route: https://www.openstreetmap.org/',
    tags: ['cycling', 'outdoors', 'beginners welcome'],
    hours: 4,
    timezone: 'Europe/Berlin',
    venue: ['North Gate', 'Berlin', 'Uferweg 1'],
    guests: 14,
  },
  {
    group: 0,
    title: 'Repair evening',
    days: 9,
    at: '18:30',
    about:
      'Bring what squeaks. We have stands, tools and two people who know what they are doing; you do the turning, they do the pointing.\n\nThere is room for six bicycles at a time, so say that you come.',
    tags: ['cycling', 'repair'],
    timezone: 'Europe/Berlin',
    maxAttendees: 6,
    venue: ['The Shed', 'Berlin', 'Hinterhof, Lindenstraße 20'],
    guests: 11,
  },
  {
    group: 0,
    title: 'Spring tour',
    days: -20,
    weekday: 6,
    at: '10:00',
    about: 'Two valleys, one ferry and a picnic. The long one of the year.',
    tags: ['cycling', 'outdoors'],
    hours: 6,
    timezone: 'Europe/Berlin',
    venue: ['North Gate', 'Berlin', 'Uferweg 1'],
    guests: 18,
    came: 12,
  },
  {
    group: 1,
    title: 'Long game night',
    days: 2,
    weekday: 2,
    at: '18:00',
    about:
      'One long game from beginning to end: this month it is trains across a continent that never was.\n\nThe rules are explained at six sharp. Snacks that leave no grease on cards are welcome.',
    tags: ['games', 'strategy'],
    hours: 5,
    timezone: 'America/New_York',
    maxAttendees: 8,
    venue: ['Corner Café', 'New York', '218 Court Street'],
    guests: 12,
  },
  {
    group: 1,
    title: 'Learn to play something new',
    days: 16,
    at: '19:00',
    about:
      'Four tables, four games that fit into forty minutes, and somebody at each who knows it well. Come alone or bring the whole family.',
    tags: ['games', 'beginners welcome'],
    timezone: 'America/New_York',
    venue: ['Corner Café', 'New York', '218 Court Street'],
    guests: 4,
  },
  {
    group: 1,
    title: 'Tournament',
    days: 5,
    at: '14:00',
    about: 'Sixteen players, four rounds, and a cup that was once a teapot.',
    tags: ['games'],
    timezone: 'America/New_York',
    status: 'cancelled',
    venue: ['Town Hall', 'New York', '9 Market Square'],
    guests: 9,
  },
  {
    group: 2,
    title: 'Show what you made',
    days: 7,
    at: '18:30',
    about:
      'Five minutes each, on whatever came off your bench: it need not be finished, and it need not work.\n\nIn the workshop and online. Slides are allowed, smoke is not.',
    tags: ['making', 'talks'],
    timezone: 'Asia/Tokyo',
    eventType: 'hybrid',
    venue: ['Mill Lane 4', 'Tokyo', '4 Mill Lane'],
    guests: 16,
  },
  {
    group: 2,
    title: 'Soldering for beginners',
    days: -6,
    at: '17:00',
    about: 'From a cold iron to a blinking light in two hours. Everything you need lies on the bench.',
    tags: ['making', 'electronics', 'beginners welcome'],
    timezone: 'Asia/Tokyo',
    maxAttendees: 10,
    venue: ['Mill Lane 4', 'Tokyo', '4 Mill Lane'],
    guests: 10,
    came: 8,
  },
  {
    group: 2,
    title: 'Open workshop day',
    days: 40,
    at: '11:00',
    about: 'The doors are open, all machines are on, and everyone who has a key is there to show theirs.',
    tags: ['making'],
    timezone: 'Asia/Tokyo',
    status: 'draft',
    venue: ['Mill Lane 4', 'Tokyo', '4 Mill Lane'],
  },
  {
    group: 3,
    title: 'A chapter together',
    days: 1,
    at: '20:00',
    about:
      'We read one chapter aloud, each of us a page, and talk about it until the hour is over. Nothing to prepare.',
    tags: ['books', 'online'],
    hours: 1,
    timezone: 'Europe/Lisbon',
    eventType: 'online',
    guests: 7,
  },
  {
    group: 3,
    title: 'Author in conversation',
    days: 30,
    at: '19:30',
    about:
      'Two chairs, one lamp, and an hour and a half about how a book about lighthouses came to be. Signed copies at the door.',
    tags: ['books', 'talks'],
    timezone: 'Europe/Lisbon',
    venue: ['The Library', 'Lisbon', 'Rua do Século 79'],
    guests: 20,
  },
  {
    group: 4,
    title: 'Meteors over the hill',
    days: 12,
    at: '21:30',
    about:
      'No telescope needed: a blanket, a warm drink and patience. We go home when the clouds come, or at dawn.',
    tags: ['stars', 'outdoors'],
    hours: null,
    timezone: 'Australia/Sydney',
    venue: ['Windmill Hill', 'Sydney', 'Observatory Road'],
    guests: 13,
  },
]
