import { photo } from './core/shapes'
import { GroupDetail } from './modules/community/groups/schema'
import type { PublishedShape } from './modules/developers/schemas/shape'
import { EventDetail, EventListItem, Venue } from './modules/gatherings/events/schema'

/** The shapes of answers that are published as JSON schemas, beside one for each domain event. */
export const shapes: PublishedShape[] = [
  { name: 'event', title: 'Event', description: 'An event, as it is read by its id.', shape: EventDetail },
  { name: 'group', title: 'Group', description: 'A group, as it is read by its name.', shape: GroupDetail },
  { name: 'venue', title: 'Venue', description: 'The place of an event that has one.', shape: Venue },
  {
    name: 'photo',
    title: 'Photo',
    description: 'The picture of an event or a group: its address, or null where there is none.',
    shape: photo(),
  },
  {
    name: 'meetup',
    title: 'Meetup',
    description: 'An event with its group, as lists give it. Whatever is a valid event is a valid meetup.',
    shape: EventListItem,
  },
]
