import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { type Times, whenOf } from '@/web/when'
import type { Words } from '@/words/words'
import { type Announced, venueWords } from './announced'
import type { Place } from './place'

export type Fact = [name: string, value: string]

export const factsOf = ({ event, reader }: Place, words: Words): Fact[] => [
  [words.eventMails.event, event.title],
  ...timesOf(event, reader.timeZone, words),
  ...placesOf(event, words),
  [words.eventMails.group, event.group.name],
]

/** In the event's time zone, and in the reader's if it differs. */
export function timesOf(times: Times, timeZone: string | null, words: Words): Fact[] {
  const there = spanOf(times, words)
  const here = timeZone === null ? there : spanOf({ ...times, timezone: timeZone }, words)
  const { when, yourTime } = words.eventMails
  return here.span === there.span
    ? [[when, there.text]]
    : [
        [when, there.text],
        [yourTime, here.text],
      ]
}

function spanOf(times: Times, words: Words) {
  const { starts, until, ends, zone } = whenOf(times, 'long', words)
  const span = ends === null ? starts : `${starts}${until}${ends}`
  return { span, text: `${span} (${zone})` }
}

function placesOf({ venue, eventType, onlineUrl }: FeedEvent, { events, eventMails }: Words): Fact[] {
  const there = venue === null ? null : venueWords(venue)
  const isOnline = eventType !== 'physical'
  return [
    ...(there === null ? [] : [[eventMails.where, there] as Fact]),
    ...(isOnline && onlineUrl !== null ? [[eventMails.online, onlineUrl] as Fact] : []),
    ...(isOnline && onlineUrl === null && there === null ? [[eventMails.where, events.online] as Fact] : []),
  ]
}

/** The previous time and place, as far as they changed. */
export function factsBefore(
  before: Announced,
  news: { time: boolean; place: boolean },
  words: Words,
): Fact[] {
  const { timeBefore, placeBefore } = words.eventMails.moved
  const { startTime, endTime, timezone, place } = before
  const times = {
    startTime: new Date(startTime),
    endTime: endTime === null ? null : new Date(endTime),
    timezone,
  }
  return [
    ...(news.time ? [[timeBefore, spanOf(times, words).text] as Fact] : []),
    ...(news.place && place !== null ? [[placeBefore, place] as Fact] : []),
  ]
}
