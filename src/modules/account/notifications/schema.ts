import { type Static, type TBoolean, type TObject, type TOptional, Type } from '@sinclair/typebox'
import { optional } from '@/core/fields'
import { MAIL_KIND_NAMES, type MailKind } from '@/core/mail-kinds'

const WHEN: Record<MailKind, string> = {
  rsvpConfirmed: 'You have a seat, or are in line.',
  waitlistPromoted: 'You move from the waitlist to a seat.',
  eventChanged: 'An event that you go to changes or is cancelled.',
  eventReminder: 'An event that you go to starts soon.',
  claimDecided: 'Your request to run a group is decided.',
  newFollower: 'A person follows you.',
  badgeEarned: 'You earn a badge.',
  weeklyDigest: 'What is on, once a week.',
}

const perKind = <Field>(field: (description: string) => Field) =>
  Object.fromEntries(MAIL_KIND_NAMES.map((kind) => [kind, field(WHEN[kind])])) as Record<MailKind, Field>

export const Notifications: TObject<Record<MailKind, TBoolean>> = Type.Object(
  perKind((description) => Type.Boolean({ description })),
  { $id: 'Notifications', description: 'Which kinds of mail you get.' },
)
export type Notifications = Static<typeof Notifications>

export const UpdateNotificationsRequest: TObject<Record<MailKind, TOptional<TBoolean>>> = Type.Object(
  perKind((description) => optional(Type.Boolean({ description }))),
  { $id: 'UpdateNotificationsRequest' },
)
