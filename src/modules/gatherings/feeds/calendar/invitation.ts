import { fold } from '@/core/fold'
import type { Invitation } from '@/outbound/mail/mail'
import { senderAddress } from '@/outbound/mail/smtp'
import type { FeedEvent } from '../feed'
import { address, entryOf, oneLine } from './entry'
import { calendarHost } from './host'
import { vtimezone } from './vtimezone'

type Guest = { name: string; email: string }

/**
 * The entry of an event for the calendar of one guest (iTIP, RFC 5546). It is the very one of their own feed, with the same UID
 * and SEQUENCE: of two programs that show both, neither doubles it or takes the older for the newer.
 */
export async function invitationOf(event: FeedEvent, guest: Guest): Promise<Invitation> {
  const isOn = event.status === 'published' && event.answer === 'confirmed'
  const method = isOn ? 'REQUEST' : 'CANCEL'
  const { text, zone, start, end } = entryOf(event, await calendarHost())
  const parts = [
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Folkmoot//Mail//EN\r\nCALSCALE:GREGORIAN\r\nMETHOD:${method}\r\n`,
    zone === null ? '' : vtimezone(zone, start, end),
    withPeople(event.status === 'published' && !isOn ? uninvited(text) : text, event, guest),
    'END:VCALENDAR\r\n',
  ]
  return { method, text: parts.join('') }
}

/** Somebody who gave up their seat: the event takes place, so its status must not be told (RFC 5546, 3.2.5). */
const uninvited = (entry: string) => entry.replace(/\r\nSTATUS:[A-Z]+/, '')

/**
 * Programs put an entry into a calendar only for whom it names, and believe a change only from whom it came at first. The guest
 * has answered here, and an answer by mail would reach nobody, so none is asked for.
 */
const withPeople = (entry: string, { group }: FeedEvent, { name, email }: Guest) =>
  entry.replace(/END:VEVENT\r\n$/, (end) =>
    [
      fold(`ORGANIZER;CN=${quoted(group.name)}:${mailto(senderAddress())}\r\n`),
      fold(
        `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE;CN=${quoted(name)}:${mailto(email)}\r\n`,
      ),
      end,
    ].join(''),
  )

const mailto = (email: string) => address(`mailto:${email}`)

/** The value of a parameter has no way to write a quotation mark, and some readers take a caret for one (RFC 6868). */
const quoted = (name: string) =>
  `"${oneLine(name).replaceAll('"', "'").replaceAll('^', '').replaceAll('\t', ' ')}"`
