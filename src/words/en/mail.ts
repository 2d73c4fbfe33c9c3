import type { MailKind } from '@/core/mail-kinds'

type Switch = { name: string; hint: string }

/** The frame of every letter. */
export const mail = {
  hello: (name: string) => `Hello ${name},`,
  /** Why the reader gets a letter, by kind. */
  reasons: {
    rsvpConfirmed: 'You get this because you said that you are coming.',
    waitlistPromoted: 'You get this because you were on the waitlist.',
    eventChanged: 'You get this because you have a spot or are on the waitlist there.',
    eventReminder: 'You get this because you have a spot there.',
    claimDecided: 'You get this because you asked to run this group.',
    newFollower: 'You get this because a person followed you.',
    badgeEarned: 'You get this because you earned a badge.',
    weeklyDigest: 'You get this every week because you asked for it.',
  } satisfies Record<MailKind, string> as Record<MailKind, string>,
  /** The preference switches. */
  kinds: {
    rsvpConfirmed: { name: 'Your spot at an event', hint: 'With the entry for your calendar.' },
    waitlistPromoted: {
      name: 'Moving up from the waitlist',
      hint: 'That you have a spot now, with the entry for your calendar.',
    },
    eventChanged: {
      name: 'Events of yours that are moved or cancelled',
      hint: 'The entry in your calendar moves along.',
    },
    eventReminder: { name: 'Reminders', hint: 'A day before an event where you have a spot.' },
    claimDecided: {
      name: 'Requests to run a group',
      hint: 'What was decided about yours.',
    },
    newFollower: { name: 'New followers', hint: 'At most one email a day.' },
    badgeEarned: { name: 'Badges that you earn', hint: 'At most one email a day.' },
    weeklyDigest: {
      name: 'The week ahead',
      hint: 'What is on in your groups, on Monday morning. It comes only if you switch it on.',
    },
  } satisfies Record<MailKind, Switch> as Record<MailKind, Switch>,
  unsubscribe: {
    title: 'No more emails like this?',
    text: (kind: string) => `Stop emails of this kind: “${kind}”`,
    button: 'Stop these emails',
    stopped: 'You will not get these emails',
    stoppedText: (kind: string) => `We no longer email you about this: “${kind}”`,
    undo: 'Write to me again',
    resumed: 'You will get these emails again',
    resumedText: (kind: string) => `We write to you about this again: “${kind}”`,
  },
  always: 'You get this because it is about the safety of your account. It cannot be switched off.',
  stop: 'No more emails like this',
  settings: 'All email settings',
  sentBy: (site: string) => `Sent by ${site}`,
}
