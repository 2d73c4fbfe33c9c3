/** An entry for the reader's calendar: a new or changed one, or one that is off (iTIP, RFC 5546). */
export type Invitation = { method: 'REQUEST' | 'CANCEL'; text: string }

export type Mail = {
  /** The same however often it is tried, so that mailboxes can tell copies. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  calendar?: Invitation
  headers?: Record<string, string>
}
