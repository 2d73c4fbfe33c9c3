import type { ContentLine } from './content-lines'

/** Reads one value of RFC 5545, 3.3, and throws when it is none. */
type Reader = (value: string, parameters: Record<string, string>) => unknown

const matching =
  (pattern: RegExp, what: string): Reader =>
  (value) => {
    if (!pattern.test(value)) throw new Error(`no ${what}: ${JSON.stringify(value)}`)
    return value
  }

const TEXT = /^(?:[^\\;,]|\\[\\;,nN])*$/su

function text(value: string): string {
  if (!TEXT.test(value)) throw new Error(`no TEXT: ${JSON.stringify(value)}`)
  return value.replace(/\\(.)/gs, (_, letter: string) => (letter === 'n' || letter === 'N' ? '\n' : letter))
}

/** Split where a comma is not escaped. */
const texts: Reader = (value) => (value.match(/(?:[^\\,]|\\.)+/gsu) ?? []).map(text)

const UTC = /^\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])[0-5]\d[0-5]\dZ$/
const LOCAL = new RegExp(UTC.source.replace('Z$', '$'))

/** Never floating: in UTC, or by a zone. */
const dateTime: Reader = (value, { TZID }) => {
  if (!(TZID === undefined ? UTC : LOCAL).test(value)) throw new Error(`no DATE-TIME: ${value}, zone ${TZID}`)
  return value
}

const uri = matching(/^https?:\/\/(?:[\w.~:/?#[\]@!$&'()*+=-]|%[0-9A-Fa-f]{2})+$/, 'URI')
const mailto = matching(/^mailto:(?:[\w.~!$&'*+=-]|%[0-9A-Fa-f]{2})+@[\w.-]+$/, 'CAL-ADDRESS')
/** In quotation marks, which the reader of lines has taken off. */
const NAME = /^[^"^\p{Cc}]*$/u
const utc = matching(UTC, 'UTC time')
const offset = matching(/^[+-](?:0\d|1[0-5])[0-5]\d(?:[0-5]\d)?$/, 'UTC-OFFSET')
const constant = (...values: string[]) =>
  matching(new RegExp(`^(?:${values.join('|')})$`), values.join(' or '))
const duration = constant('PT1H')

type Property = { read: Reader; parameters?: Record<string, RegExp> }

const plain = (read: Reader): Property => ({ read })
const inZone: Property = { read: dateTime, parameters: { TZID: /^[A-Z][\w+-]*(?:\/[\w+-]+)*$/ } }
const valued = (read: Reader, type: string): Property => ({
  read,
  parameters: { VALUE: new RegExp(`^${type}$`) },
})

/** What may stand in each component, and nothing else. */
export const PROPERTIES: Record<string, Record<string, Property>> = {
  VCALENDAR: {
    VERSION: plain(constant('2\\.0')),
    PRODID: plain(text),
    CALSCALE: plain(constant('GREGORIAN')),
    METHOD: plain(constant('REQUEST', 'CANCEL')),
    NAME: plain(text),
    'X-WR-CALNAME': plain(text),
    'X-WR-CALDESC': plain(text),
    'X-WR-TIMEZONE': plain(text),
    URL: plain(uri),
    SOURCE: valued(uri, 'URI'),
    'REFRESH-INTERVAL': valued(duration, 'DURATION'),
    'X-PUBLISHED-TTL': plain(duration),
  },
  VTIMEZONE: { TZID: plain(text) },
  VEVENT: {
    UID: plain(text),
    CONFERENCE: valued(uri, 'URI'),
    SEQUENCE: plain(matching(/^\d+$/, 'INTEGER')),
    DTSTAMP: plain(utc),
    CREATED: plain(utc),
    'LAST-MODIFIED': plain(utc),
    DTSTART: inZone,
    DTEND: inZone,
    SUMMARY: plain(text),
    DESCRIPTION: plain(text),
    LOCATION: plain(text),
    GEO: plain(matching(/^-?\d{1,2}(?:\.\d+)?;-?\d{1,3}(?:\.\d+)?$/, 'GEO')),
    CATEGORIES: plain(texts),
    URL: valued(uri, 'URI'),
    STATUS: plain(constant('CONFIRMED', 'TENTATIVE', 'CANCELLED')),
    TRANSP: plain(constant('OPAQUE', 'TRANSPARENT')),
    ORGANIZER: { read: mailto, parameters: { CN: NAME } },
    ATTENDEE: {
      read: mailto,
      parameters: {
        CN: NAME,
        CUTYPE: /^INDIVIDUAL$/,
        ROLE: /^REQ-PARTICIPANT$/,
        PARTSTAT: /^ACCEPTED$/,
        RSVP: /^FALSE$/,
      },
    },
  },
}

const observance: Record<string, Property> = {
  DTSTART: plain(matching(LOCAL, 'local time')),
  TZOFFSETFROM: plain(offset),
  TZOFFSETTO: plain(offset),
  RRULE: plain(
    matching(
      /^FREQ=YEARLY;BYMONTH=(?:[1-9]|1[0-2]);(?:BYDAY=(?:-1|[1-4])[A-Z]{2}|BYMONTHDAY=[\d,]+(?:;BYDAY=[A-Z]{2})?)(?:;UNTIL=\d{8}T\d{6}Z)?$/,
      'rule',
    ),
  ),
}
PROPERTIES.STANDARD = observance
PROPERTIES.DAYLIGHT = observance

export function readValue(component: string, { name, parameters, value }: ContentLine): unknown {
  const property = PROPERTIES[component]?.[name]
  if (!property) throw new Error(`${name} in ${component}`)
  for (const [key, given] of Object.entries(parameters))
    if (!property.parameters?.[key]?.test(given)) throw new Error(`${name};${key}=${given}`)
  return property.read(value, parameters)
}
