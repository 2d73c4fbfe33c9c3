/** A calendar entry: new, changed or cancelled (iTIP, RFC 5546). */
export type Invitation = { method: 'REQUEST' | 'CANCEL'; text: string }

export type Mail = {
  /** Stable across retries, so that mailboxes can drop duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  calendar?: Invitation
  headers?: Record<string, string>
}
