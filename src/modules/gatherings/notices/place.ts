import { now } from '@/core/clock'
import { db } from '@/db/client'
import type { Reader } from '@/mail/letter'
import { isOver } from '@/modules/gatherings/events/time'
import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { feedEventOf } from '@/modules/gatherings/feeds/present'
import { findAnswer } from './queries'

/** An event as one of its guests may see it now, with their place there. */
export type Place = {
  reader: Reader
  /** With their own answer, and with the address online where they have a seat. */
  event: FeedEvent
  /** When they gave the answer. */
  answeredAt: Date
  /** From 1; null unless they wait. */
  waitlistPosition: number | null
  isCheckedIn: boolean
}

/**
 * Null where there is nothing to write about: the event is a draft, over or gone, or the person never answered, or gave up their
 * place in a group that is not listed, and may not know of the event any more.
 */
export async function placeOf(reader: Reader | null, eventId: string): Promise<Place | null> {
  const found = reader === null ? undefined : await findAnswer(db, eventId, reader.userId)
  if (reader === null || !found?.answer || found.event.status === 'draft') return null
  const event = feedEventOf(found.event, found.answer)
  if (isOver(event, now()) || (event.answer === null && !found.isListed)) return null
  const { waitlistPosition, isCheckedIn } = found
  return { reader, event, answeredAt: new Date(found.answer.changedAt), waitlistPosition, isCheckedIn }
}
