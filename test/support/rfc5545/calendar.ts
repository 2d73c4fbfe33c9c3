import { type ContentLine, contentLines } from './content-lines'
import { readValue } from './values'

export type Component = {
  name: string
  values: Record<string, unknown>
  /** The zones of its times. */
  zones: Record<string, string>
  children: Component[]
}

const REQUIRED: Record<string, string[]> = {
  VCALENDAR: ['VERSION', 'PRODID', 'CALSCALE'],
  VTIMEZONE: ['TZID'],
  STANDARD: ['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO'],
  DAYLIGHT: ['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO'],
  VEVENT: [
    ...[
      'UID',
      'SEQUENCE',
      'DTSTAMP',
      'CREATED',
      'LAST-MODIFIED',
      'DTSTART',
      'DTEND',
      'SUMMARY',
      'DESCRIPTION',
    ],
    ...['URL', 'TRANSP'],
  ],
}

/**
 * By method: what a feed, which has none, has to say of itself and of its entries, and what an entry that comes by mail has to say. A method
 * without ORGANIZER would break RFC 5546.
 */
const BY_METHOD: Record<string, { calendar: string[]; entry: string[]; no: string[] }> = {
  NONE: {
    calendar: ['NAME', 'X-WR-CALNAME', 'SOURCE', 'REFRESH-INTERVAL', 'X-PUBLISHED-TTL'],
    entry: ['STATUS'],
    no: ['ORGANIZER', 'ATTENDEE'],
  },
  REQUEST: { calendar: [], entry: ['STATUS', 'ORGANIZER', 'ATTENDEE'], no: [] },
  CANCEL: { calendar: [], entry: ['ORGANIZER', 'ATTENDEE'], no: [] },
}

const CHILDREN: Record<string, string[]> = {
  VCALENDAR: ['VTIMEZONE', 'VEVENT'],
  VTIMEZONE: ['STANDARD', 'DAYLIGHT'],
}

/** Reads a calendar of ours as strictly as can be: grammar, a fixed set of properties, each once, each zone described once. */
export function readCalendar(text: string | Uint8Array) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const lines = contentLines(bytes)
  const calendar = readComponent(lines)
  if (calendar.name !== 'VCALENDAR' || lines.length > 0) throw new Error('more than one calendar')
  const of = (name: string) => calendar.children.filter((child) => child.name === name)
  const [zones, events] = [of('VTIMEZONE'), of('VEVENT')]
  const described = zones.map(({ values }) => values.TZID as string)
  const used = new Set(events.flatMap((event) => Object.values(event.zones)))
  if (described.length !== new Set(described).size) throw new Error('a zone is described twice')
  if (described.some((name) => !used.has(name)) || used.size !== described.length)
    throw new Error(`zones ${[...used]} are used, ${described} described`)
  if (new Set(events.map(({ values }) => values.UID)).size !== events.length) throw new Error('a UID twice')
  demandOfMethod(calendar, events)
  return { values: calendar.values, zones, events }
}

function demandOfMethod(calendar: Component, events: Component[]): void {
  const method = (calendar.values.METHOD ?? 'NONE') as string
  const wanted = BY_METHOD[method]
  demand(calendar, wanted?.calendar ?? [])
  for (const event of events) {
    demand(event, wanted?.entry ?? [])
    for (const name of wanted?.no ?? []) if (name in event.values) throw new Error(`${method} with ${name}`)
  }
}

function demand({ name, values }: Component, names: string[]): void {
  for (const one of names) if (!(one in values)) throw new Error(`${name} without ${one}`)
}

/** Takes the lines of one component off the front. */
function readComponent(lines: ContentLine[]): Component {
  const begin = lines.shift()
  if (begin?.name !== 'BEGIN') throw new Error(`${begin?.name} instead of BEGIN`)
  const component: Component = { name: begin.value, values: {}, zones: {}, children: [] }
  for (;;) {
    const line = lines[0]
    if (line === undefined) throw new Error(`${component.name} has no end`)
    if (line.name === 'BEGIN') {
      const child = readComponent(lines)
      if (!CHILDREN[component.name]?.includes(child.name))
        throw new Error(`${child.name} in ${component.name}`)
      component.children.push(child)
      continue
    }
    lines.shift()
    if (line.name === 'END' && line.value === component.name) break
    readProperty(component, line)
  }
  return demandComplete(component)
}

function readProperty(component: Component, line: ContentLine): void {
  if (component.children.length > 0) throw new Error(`${line.name} after a component`)
  if (line.name in component.values) throw new Error(`${line.name} twice`)
  component.values[line.name] = readValue(component.name, line)
  if (line.parameters.TZID !== undefined) component.zones[line.name] = line.parameters.TZID
}

function demandComplete(component: Component): Component {
  demand(component, REQUIRED[component.name] ?? [])
  if (component.name === 'VTIMEZONE' && component.children.length === 0)
    throw new Error('a zone without rules')
  const { DTSTART, DTEND, DTSTAMP } = component.values as Record<string, string>
  if (component.name === 'VEVENT') {
    if ((DTEND as string) <= (DTSTART as string)) throw new Error('an end that is not later than its start')
    if (DTSTAMP !== component.values['LAST-MODIFIED']) throw new Error('a stamp of its own')
  }
  return component
}
