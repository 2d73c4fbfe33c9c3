import { readCalendar } from '../../../support/rfc5545/calendar'
import { type EventMail, readInvitation } from './fixtures'

type Entry = ReturnType<typeof readInvitation>

/**
 * A calendar that takes entries from mails as RFC 5546 wants it: only those that name its owner, from the organizer who sent the
 * first; a later SEQUENCE replaces an earlier one, and never the other way round.
 */
export function calendarApp(owner: string) {
  const entries = new Map<string, Entry>()
  const revisions = new Map<string, { sequence: number; organizer: string }>()
  return {
    entries,
    /** What it does about a mail. */
    receive(mail: EventMail): 'added' | 'updated' | 'removed' | 'ignored' {
      if (mail.calendar === undefined) return 'ignored'
      readCalendar(mail.calendar.text)
      const entry = readInvitation(mail)
      const { uid, sequence, organizer, method } = entry
      const known = revisions.get(uid)
      if (method !== mail.calendar.method) throw new Error('The mail says another method than its entry')
      if (entry.attendee !== `mailto:${owner}` || (known && known.organizer !== organizer)) return 'ignored'
      if (known && sequence <= known.sequence) return 'ignored'
      revisions.set(uid, { sequence, organizer })
      if (method === 'CANCEL') return entries.delete(uid) ? 'removed' : 'ignored'
      const isNew = !entries.has(uid)
      entries.set(uid, entry)
      return isNew ? 'added' : 'updated'
    },
  }
}
