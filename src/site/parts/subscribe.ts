import { subscribing } from '@/modules/gatherings/feeds/address'
import type { Format } from '@/modules/gatherings/feeds/feed'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

/** Links to calendar and feed subscriptions. */
export const subscribe = (feeds: Readonly<Record<Format, string>>, { groups }: Words): Html =>
  html`<section class="card"><h2 class="first">${groups.subscribe}</h2>
<p class="quiet">${groups.subscribeText}</p>
<p><a class="button plain small" href="${subscribing(feeds.ics)}">${groups.openCalendar}</a></p>
<p class="small"><a href="${feeds.ics}">${groups.calendarFile}</a> · <a href="${feeds.rss}">${groups.rss}</a></p></section>`
