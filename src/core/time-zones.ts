import { invalidField } from './errors'
import { refusals } from './refusals'

const known = new Map<string, string | null>()

/** The IANA spelling of a zone, or null: `europe/berlin` is `Europe/Berlin`, and other programs are case-sensitive. */
export function timeZoneOf(name: string): string | null {
  let answer = known.get(name)
  if (answer === undefined) {
    // The runtime also accepts offsets such as +02:00.
    answer = /^[A-Za-z]/.test(name) ? spelled(name) : null
    if (known.size < 1000) known.set(name, answer)
  }
  return answer
}

export const isTimeZone = (name: string): boolean => timeZoneOf(name) !== null

export function demandTimeZone(field: string, name: string): string {
  const zone = timeZoneOf(name)
  if (zone === null) throw invalidField(field, refusals.timeZone)
  return zone
}

function spelled(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
