import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { sample } from './samples'

export const VENUE = { ...sample().venue!, name: 'Town Hall' }

/** An event for each field that holds the text. */
export const inEachField = (text: string): FeedEvent[] =>
  [
    { title: text },
    { description: text },
    { description: `${text} https://ok.example/${text} ${text}` },
    { status: 'cancelled' as const, cancelReason: text },
    { tags: [text, `a${text}b`] },
    { timezone: text },
    { photoUrl: text },
    { photoUrl: `https://ok.example/${text}.jpg` },
    { url: text },
    { onlineUrl: text, answer: 'confirmed' as const },
    { group: { name: text, urlname: 'rust-lisbon' } },
    { group: { name: text, urlname: text } },
    { venue: { ...VENUE, name: text } },
    {
      venue: { ...VENUE, address: text, city: text, state: text, postalCode: text, country: text },
      eventType: 'hybrid' as const,
    },
  ].map((fields, n) => sample(n + 1, fields))
