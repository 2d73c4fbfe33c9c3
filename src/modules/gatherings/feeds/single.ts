import { config } from '@/config/config'
import type { EventRow, EventWithGroup } from '@/modules/gatherings/events/queries'
import { addressesOf } from './address'
import { feedEventOf } from './present'
import { render } from './render'
import type { ToldEvent } from './told/queries'

/** One event as a file for a calendar program, whose entry is the very one of the feeds: it is updated, not doubled. */
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
  return render('ics', head, [feedEventOf(toldOf(event, group), null)])
}

const toldOf = (event: EventRow, group: EventWithGroup['group']): ToldEvent => ({
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
