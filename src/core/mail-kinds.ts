/** Kinds of mail that a person may switch off, with their defaults. */
export const MAIL_KINDS = {
  rsvpConfirmed: true,
  waitlistPromoted: true,
  eventChanged: true,
  eventReminder: true,
  claimDecided: true,
  newFollower: true,
  badgeEarned: true,
  weeklyDigest: false,
} as const

export type MailKind = keyof typeof MAIL_KINDS

export const MAIL_KIND_NAMES = Object.keys(MAIL_KINDS) as MailKind[]

export const isMailKind = (text: string): text is MailKind => Object.hasOwn(MAIL_KINDS, text)
