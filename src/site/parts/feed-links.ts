import type { Format } from '@/modules/gatherings/feeds/feed'
import { type Html, html } from '@/web/html'

const TYPES: [Format, string][] = [
  ['ics', 'text/calendar'],
  ['rss', 'application/rss+xml'],
  ['atom', 'application/atom+xml'],
  ['json', 'application/feed+json'],
]

/** Feed discovery links, for the head. */
export const feedLinks = (feeds: Readonly<Record<Format, string>>, title: string): Html[] =>
  TYPES.map(
    ([format, type]) =>
      html`<link rel="alternate" type="${type}" title="${title}" href="${feeds[format]}">\n`,
  )
