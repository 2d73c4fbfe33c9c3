import { type Static, type TBoolean, type TObject, type TOptional, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { unauthorized } from '@/core/errors'
import { optional } from '@/core/fields'
import { MAIL_KIND_NAMES, MAIL_KINDS, type MailKind } from '@/core/mail-kinds'
import { type Db, db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { listSwitches, setSwitches } from '@/mail/recipient-queries'

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

const Notifications: TObject<Record<MailKind, TBoolean>> = Type.Object(
  perKind((description) => Type.Boolean({ description })),
  { $id: 'Notifications', description: 'Your email preferences.' },
)
type Notifications = Static<typeof Notifications>

const UpdateNotificationsRequest: TObject<Record<MailKind, TOptional<TBoolean>>> = Type.Object(
  perKind((description) => optional(Type.Boolean({ description }))),
  { $id: 'UpdateNotificationsRequest' },
)

export const readNotifications = action({
  name: 'readNotifications',
  access: 'user',
  reads: true,
  summary: 'Read your email preferences',
  description:
    'Security emails have no switch and are always sent: sign-in, a new token or application, a change of the email ' +
    'address, a disabled webhook.',
  input: Type.Object({}),
  output: Notifications,
  run: ({ userId }) => notificationsOf(db, userId),
})

export const updateNotifications = action({
  name: 'updateNotifications',
  access: 'user',
  summary: 'Change your email preferences',
  description: 'Omitted fields stay unchanged.',
  input: UpdateNotificationsRequest,
  output: Notifications,
  run: ({ userId }, change) =>
    transaction(async (tx) => {
      const switches = MAIL_KIND_NAMES.flatMap((kind) => {
        const isOn = change[kind]
        return isOn === undefined ? [] : [{ kind, isOn }]
      })
      // A cached credential may briefly outlive a deleted account.
      if (!(await setSwitches(tx, userId, switches))) throw unauthorized(true)
      return notificationsOf(tx, userId)
    }),
})

async function notificationsOf(db: Db | Tx, userId: string): Promise<Notifications> {
  const switched = await listSwitches(db, userId)
  return { ...MAIL_KINDS, ...Object.fromEntries(switched.map(({ kind, isOn }) => [kind, isOn])) }
}
