import { fold } from '@/core/text'
import type { Invitation } from '@/outbound/mail/mail'
import { senderAddress } from '@/outbound/mail/smtp'
import type { FeedEvent } from '../feed'
import { address, entryOf, oneLine } from './entry'
import { calendarHost } from './host'
import { vtimezone } from './vtimezone'

type Guest = { name: string; email: string }

/**
 * A calendar invite for one guest (iTIP, RFC 5546). It shares UID and SEQUENCE with the guest's own feed, so programs that show
 * both neither duplicate nor revert the entry.
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

/** For guests who cancelled: the event itself still takes place, so STATUS is omitted (RFC 5546, 3.2.5). */
const uninvited = (entry: string) => entry.replace(/\r\nSTATUS:[A-Z]+/, '')

/**
 * Programs accept an invite only for a listed ATTENDEE, and updates only from the first ORGANIZER. RSVP=FALSE, because replies by
 * email reach no one.
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

/** Parameter values cannot contain quotes, and RFC 6868 readers treat carets as escapes. */
const quoted = (name: string) =>
  `"${oneLine(name).replaceAll('"', "'").replaceAll('^', '').replaceAll('\t', ' ')}"`
