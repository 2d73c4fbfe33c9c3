import type { Words } from '@/words/words'
import { type Html, html } from './html'
import { slot } from './slots'
import { zonedClock, zoneOf, zoneWords } from './when'

type Timed = { dateTime: string; timezone: string | null }

/** The slot for the start in the reader's zone, if it differs: by the saved zone, or by the script `own-time`. */
export const ownTime = ({ dateTime, timezone }: Timed, { events }: Words): Html =>
  slot(
    'time',
    html`<p class="quiet small" data-at="${dateTime}" data-zone="${zoneOf(timezone)}" data-says="${events.yourTime}" hidden></p>`,
  )

const PLACE = /data-at="([^"]+)" data-zone="([^"]+)"/

/** Fills those slots for a saved zone. */
export const timeIn =
  (zone: string, words: Words) =>
  (place: string): Html => {
    const [, dateTime = '', there = ''] = PLACE.exec(place) ?? []
    const at = new Date(dateTime)
    const own = zonedClock(at, zone, words)
    return own === zonedClock(at, there, words)
      ? html``
      : html`<p class="quiet small">${words.events.yourTime.replace('{}', own)} (${zoneWords(at, zone, words)})</p>`
  }
