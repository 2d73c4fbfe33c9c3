import type { MailKind } from '@/core/mail-kinds'

/** What stands around every letter. */
export const mail = {
  hello: (name: string) => `Hello ${name},`,
  /** Why a letter came, by its switch. */
  reasons: {
    rsvpConfirmed: 'You get this because you said that you are coming.',
    waitlistPromoted: 'You get this because you were on the waitlist.',
    eventChanged: 'You get this because you have a seat or a place in line there.',
    eventReminder: 'You get this because you have a seat there.',
    claimDecided: 'You get this because you asked to run this group.',
    newFollower: 'You get this because somebody follows you.',
    badgeEarned: 'You get this because you earned a badge.',
    weeklyDigest: 'You get this every week because you asked for it.',
  } satisfies Record<MailKind, string> as Record<MailKind, string>,
  always: 'You get this because it is about the safety of your account. It cannot be switched off.',
  stop: 'No more mails like this',
  settings: 'All mail settings',
  sentBy: (site: string) => `Sent by ${site}`,
}
