import { config } from '@/config/config'
import { subscribing } from '@/modules/gatherings/feeds/address'
import type { Format } from '@/modules/gatherings/feeds/feed'
import { type Html, html } from '@/web/html'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

/** Links to calendar and feed subscriptions. */
export const subscribe = (feeds: Readonly<Record<Format, string>>, { groups }: Words): Html =>
  html`<section class="card"><h2 class="first">${groups.subscribe}</h2>
<p class="quiet">${groups.subscribeText}</p>
<p><a class="button plain small" href="${subscribing(feeds.ics)}">${groups.openCalendar}</a></p>
<p class="small"><a href="${feeds.ics}">${groups.calendarFile}</a> · <a href="${feeds.rss}">${groups.rss}</a></p></section>`

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

type Preview = {
  title: string
  description?: string
  /** Paths of this server. */
  path: string
  picture?: { path: string; alt: string }
}

/** Open Graph previews of shared links. */
export const openGraph = ({ title, description, path, picture }: Preview, { language }: Words): Html =>
  html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${config.siteName}">
<meta property="og:locale" content="${LOCALES[language].replace('-', '_')}">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${config.baseUrl}${path}">
${description && html`<meta property="og:description" content="${description}">\n`}${
  picture &&
  html`<meta property="og:image" content="${config.baseUrl}${picture.path}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${picture.alt}">
<meta name="twitter:card" content="summary_large_image">
`
}`
