import { sql } from 'drizzle-orm'
import { type JsonRow, jsonRow, ms } from '@/db/rows'
import { events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { TEXT_MAX } from './feed'

const OF_EVENT = {
  id: events.id,
  groupId: events.groupId,
  groupName: groups.name,
  groupUrlname: groups.urlname,
  title: events.title,
  // One more character reveals that the text was truncated.
  description: sql<string | null>`left(${events.description}, ${sql.raw(String(TEXT_MAX + 1))})`,
  startTime: ms(events.startTime),
  endTime: ms(events.endTime),
  overAt: ms(events.overAt),
  timezone: events.timezone,
  eventType: events.eventType,
  status: events.status,
  cancelReason: events.cancelReason,
  tags: events.tags,
  photoUrl: events.photoUrl,
  onlineUrl: events.onlineUrl,
  venueName: events.venueName,
  venueAddress: events.venueAddress,
  venueCity: events.venueCity,
  venueState: events.venueState,
  venuePostalCode: events.venuePostalCode,
  venueCountry: events.venueCountry,
  venueLatitude: events.venueLatitude,
  venueLongitude: events.venueLongitude,
  sequence: events.sequence,
  publishedAt: ms(events.publishedAt),
  createdAt: ms(events.createdAt),
  updatedAt: ms(events.updatedAt),
}

const OF_ANSWER = { status: rsvps.status, changedAt: ms(rsvps.changedAt), changes: rsvps.changes }

export type FeedEventRow = JsonRow<typeof OF_EVENT>
export type FeedAnswerRow = JsonRow<typeof OF_ANSWER>

export const feedEventRow = jsonRow(OF_EVENT)
export const feedAnswerRow = sql<FeedAnswerRow | null>`case when ${rsvps.id} is not null then ${jsonRow(OF_ANSWER)} end`
