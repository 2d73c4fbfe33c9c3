import type { Static } from '@sinclair/typebox'
import type { ManagedListItem } from '@/modules/gatherings/organizing/schema'
import { leaf, stateMark } from '@/site/parts/event'
import { type Html, html } from '@/web/html'
import { moment, timesOf } from '@/web/when'
import type { Words } from '@/words/words'
import { eventPath } from './paths'

export type Item = Static<typeof ManagedListItem>

/** A row for staff, with RSVPs and check-ins. */
export function managedRow(event: Item, words: Words, hasGroup = false): Html {
  const times = timesOf(event)
  return html`<li>${leaf(times, words)}
<div class="what"><h3 dir="auto"><a href="${pathTo(event)}">${event.title}</a></h3>
<p>${moment(times.startTime, times.timezone, words)} ${stateMark(event, words)}</p>
${hasGroup && event.group && html`<p class="quiet small"><bdi>${event.group.name}</bdi></p>`}</div>
<div class="end number"><strong>${seats(event)}</strong><br><span class="quiet small">${
    event.checkinCount > 0 ? words.manage.came(event.checkinCount) : words.manage.coming
  }</span></div></li>
`
}

export const pathTo = ({ id, group }: Item): string => eventPath(group?.id ?? '', id)

export const seats = ({ localRsvpCount, maxAttendees }: Item): string =>
  maxAttendees === null ? String(localRsvpCount) : `${localRsvpCount} / ${maxAttendees}`
