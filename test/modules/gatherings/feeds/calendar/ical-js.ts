import ICAL from 'ical.js'

/** An event as a client understood it: times are seconds since 1970. */
export type ReadEvent = {
  uid: string
  sequence: number
  stamp: number
  created: number
  modified: number
  start: number
  end: number
  summary: string
  description: string
  location: string | null
  geo: [number, number] | null
  url: string
  /** Where guests join online. */
  conference: string | null
  categories: string[]
  status: string
  transparency: string
}

/** Reads a calendar with ical.js, which places times by the VTIMEZONE of the calendar and knows no zones of its own. */
export function readWithIcalJs(text: string): ReadEvent[] {
  ICAL.TimezoneService.reset()
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((event) => {
    const value = (name: string) => event.getFirstPropertyValue(name)
    const seconds = (name: string) => (value(name) as ICAL.Time).toUnixTime()
    const words = (name: string) => value(name) as string
    return {
      uid: words('uid'),
      sequence: value('sequence') as unknown as number,
      stamp: seconds('dtstamp'),
      created: seconds('created'),
      modified: seconds('last-modified'),
      start: seconds('dtstart'),
      end: seconds('dtend'),
      summary: words('summary'),
      description: words('description'),
      location: words('location'),
      geo: value('geo') as unknown as [number, number] | null,
      url: words('url'),
      conference: words('conference'),
      categories: (event.getFirstProperty('categories')?.getValues() ?? []) as string[],
      status: words('status'),
      transparency: words('transp'),
    }
  })
}
