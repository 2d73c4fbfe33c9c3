import type { Format } from '@/modules/gatherings/feeds/feed'
import { type Html, html } from '@/web/html'

const TYPES: [Format, string][] = [
  ['ics', 'text/calendar'],
  ['rss', 'application/rss+xml'],
  ['atom', 'application/atom+xml'],
  ['json', 'application/feed+json'],
]

/** Tells programs that the page is also a feed, for its head. */
export const feedLinks = (feeds: Readonly<Record<Format, string>>, title: string): Html[] =>
  TYPES.map(
    ([format, type]) =>
      html`<link rel="alternate" type="${type}" title="${title}" href="${feeds[format]}">\n`,
  )

/** Opens the calendar program of whoever clicks, which subscribes; a file would be imported, and never looked at again. */
export const subscribing = (feed: string): string => feed.replace(/^https?:/, 'webcal:')
