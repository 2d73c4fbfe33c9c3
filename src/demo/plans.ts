export type Plan = {
  group: number
  title: string
  /** Days from now; negative ones are past. */
  days: number
  hours?: number | null
  timezone: string
  status?: 'draft' | 'published' | 'cancelled'
  eventType?: 'physical' | 'online' | 'hybrid'
  maxAttendees?: number
  venue?: [name: string, city: string]
  guests?: number
  came?: number
}

/** Every state that an event can be in, in several zones. */
export const PLANS: Plan[] = [
  {
    group: 0,
    title: 'Sunday ride along the river',
    days: 3,
    hours: 4,
    timezone: 'Europe/Berlin',
    venue: ['North Gate', 'Berlin'],
    guests: 14,
  },
  {
    group: 0,
    title: 'Repair evening',
    days: 9,
    timezone: 'Europe/Berlin',
    maxAttendees: 6,
    venue: ['The Shed', 'Berlin'],
    guests: 11,
  },
  {
    group: 0,
    title: 'Spring tour',
    days: -20,
    hours: 6,
    timezone: 'Europe/Berlin',
    venue: ['North Gate', 'Berlin'],
    guests: 18,
    came: 12,
  },
  {
    group: 1,
    title: 'Long game night',
    days: 2,
    hours: 5,
    timezone: 'America/New_York',
    maxAttendees: 8,
    venue: ['Corner Café', 'New York'],
    guests: 12,
  },
  {
    group: 1,
    title: 'Learn to play something new',
    days: 16,
    timezone: 'America/New_York',
    venue: ['Corner Café', 'New York'],
    guests: 4,
  },
  {
    group: 1,
    title: 'Tournament',
    days: 5,
    timezone: 'America/New_York',
    status: 'cancelled',
    venue: ['Town Hall', 'New York'],
    guests: 9,
  },
  {
    group: 2,
    title: 'Show what you made',
    days: 7,
    timezone: 'Asia/Tokyo',
    eventType: 'hybrid',
    venue: ['Mill Lane 4', 'Tokyo'],
    guests: 16,
  },
  {
    group: 2,
    title: 'Soldering for beginners',
    days: -6,
    timezone: 'Asia/Tokyo',
    maxAttendees: 10,
    venue: ['Mill Lane 4', 'Tokyo'],
    guests: 10,
    came: 8,
  },
  {
    group: 2,
    title: 'Open workshop day',
    days: 40,
    timezone: 'Asia/Tokyo',
    status: 'draft',
    venue: ['Mill Lane 4', 'Tokyo'],
  },
  {
    group: 3,
    title: 'A chapter together',
    days: 1,
    hours: 1,
    timezone: 'Europe/Lisbon',
    eventType: 'online',
    guests: 7,
  },
  {
    group: 3,
    title: 'Author in conversation',
    days: 30,
    timezone: 'Europe/Lisbon',
    venue: ['The Library', 'Lisbon'],
    guests: 20,
  },
  {
    group: 4,
    title: 'Meteors over the hill',
    days: 12,
    hours: null,
    timezone: 'Australia/Sydney',
    venue: ['Windmill Hill', 'Sydney'],
    guests: 13,
  },
]
