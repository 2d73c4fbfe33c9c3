import { config } from '@/config/config'
import type { EventRow, EventWithGroup } from '@/modules/gatherings/events/queries'
import { addressesOf } from './address'
import { feedEventOf } from './present'
import { render } from './render'
import type { FeedEventRow } from './rows-queries'

/** A single event as .ics, with the UID of the feeds, so that programs update instead of duplicating it. */
export function calendarOf({ event, group }: EventWithGroup): Promise<string> {
  const url = `${config.baseUrl}/events/${event.id}`
  const ics = `${url}/calendar.ics`
  const head = {
    title: event.title,
    description: group.name,
    pageUrl: url,
    addresses: { ...addressesOf({ kind: 'events', filters: {} }), ics },
    hubUrl: null,
  }
  return render('ics', head, [feedEventOf(rowOf(event, group), null)])
}

const rowOf = (event: EventRow, group: EventWithGroup['group']): FeedEventRow => ({
  ...event,
  groupName: group.name,
  groupUrlname: group.urlname,
  startTime: event.startTime.getTime(),
  endTime: event.endTime?.getTime() ?? null,
  overAt: event.overAt.getTime(),
  publishedAt: event.publishedAt?.getTime() ?? null,
  createdAt: event.createdAt.getTime(),
  updatedAt: event.updatedAt.getTime(),
})
