import { get } from '../../../../support/api'
import { readCalendar } from '../../../../support/rfc5545/calendar'
import { type ReadEvent, readWithIcalJs } from './ical-js'

/**
 * A calendar app as the RFCs want it: entries are known by UID, a later revision (SEQUENCE, then DTSTAMP) replaces an earlier one
 * and never the other way round, and what the feed no longer shows is gone (RFC 5546, 2.1.5).
 */
export function subscriber(path: string) {
  const entries = new Map<string, ReadEvent>()
  let etag = ''
  return {
    entries,
    /** Polls once: what changed, or null where the server says that nothing did. */
    async poll(): Promise<string[] | null> {
      const answer = await get(path, { headers: etag ? { 'if-none-match': etag } : {} })
      if (answer.status === 304) return null
      if (answer.headers.has('content-disposition')) throw new Error('it would be saved as a file')
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      etag = answer.headers.get('etag') as string
      readCalendar(answer.text)
      return replay(entries, readWithIcalJs(answer.text))
    },
  }
}

function replay(entries: Map<string, ReadEvent>, shown: ReadEvent[]): string[] {
  const changes: string[] = []
  for (const entry of shown) {
    const known = entries.get(entry.uid)
    if (known && Bun.deepEquals(known, entry)) continue
    if (known && !isLater(entry, known)) throw new Error(`${entry.uid} differs, but is no later revision`)
    entries.set(entry.uid, entry)
    changes.push(`${known ? 'updated' : 'added'} ${idOf(entry.uid)}`)
  }
  const uids = new Set(shown.map(({ uid }) => uid))
  for (const uid of entries.keys()) {
    if (uids.has(uid)) continue
    entries.delete(uid)
    changes.push(`removed ${idOf(uid)}`)
  }
  return changes
}

const isLater = (entry: ReadEvent, known: ReadEvent) =>
  entry.sequence > known.sequence || (entry.sequence === known.sequence && entry.stamp >= known.stamp)

const idOf = (uid: string) => uid.split('@')[0] as string
