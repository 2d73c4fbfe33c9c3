import { now } from '@/core/clock'
import { db } from '@/db/client'
import type { Reader } from '@/mail/letter'
import { isOver } from '@/modules/gatherings/events/time'
import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { feedEventOf } from '@/modules/gatherings/feeds/present'
import { findAnswer } from './queries'

/** An event as one guest may see it, with their RSVP. */
export type Place = {
  reader: Reader
  /** Includes `onlineUrl` only for confirmed guests. */
  event: FeedEvent
  answeredAt: Date
  /** Starts at 1; null unless waitlisted. */
  waitlistPosition: number | null
  isCheckedIn: boolean
}

/**
 * Null if no mail is due: the event is a draft, over or deleted, the person has no RSVP, or they cancelled it and the group is
 * unlisted, so that they may no longer see the event.
 */
export async function placeOf(reader: Reader | null, eventId: string): Promise<Place | null> {
  const found = reader === null ? undefined : await findAnswer(db, eventId, reader.userId)
  if (reader === null || !found?.answer || found.event.status === 'draft') return null
  const event = feedEventOf(found.event, found.answer)
  if (isOver(event, now()) || (event.answer === null && !found.isListed)) return null
  const { waitlistPosition, isCheckedIn } = found
  return { reader, event, answeredAt: new Date(found.answer.changedAt), waitlistPosition, isCheckedIn }
}
