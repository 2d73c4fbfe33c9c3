import { overAt } from '@/modules/gatherings/events/pieces'
import { placeIn } from '@/site/parts/event'
import type { Link } from '@/web/message'
import type { Words } from '@/words/words'
import type { EventView } from './view'

/** `20261120T173000Z` */
const basic = (at: Date) => `${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

/** Plain links to web calendars: nothing is loaded before a click. */
export function calendarLinks({ event, times }: EventView, words: Words): Link[] {
  const end = overAt(times.startTime, times.endTime)
  const place = [placeIn(event, words), event.venue?.address].filter(Boolean).join(', ')
  const url = event.eventUrl ?? ''
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: `${basic(times.startTime)}/${basic(end)}`,
    details: url,
    location: place,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt: times.startTime.toISOString(),
    enddt: end.toISOString(),
    body: url,
    location: place,
  })
  return [
    { href: `/events/${event.id}/calendar.ics`, label: words.events.calendarFile },
    { href: `https://calendar.google.com/calendar/render?${google}`, label: 'Google' },
    { href: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`, label: 'Outlook' },
  ]
}
