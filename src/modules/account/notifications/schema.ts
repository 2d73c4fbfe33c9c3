import { type Static, type TBoolean, type TObject, type TOptional, Type } from '@sinclair/typebox'
import { optional } from '@/core/fields'
import { MAIL_KIND_NAMES, type MailKind } from '@/core/mail-kinds'

const perKind = <Field>(field: () => Field) =>
  Object.fromEntries(MAIL_KIND_NAMES.map((kind) => [kind, field()])) as Record<MailKind, Field>

export const Notifications: TObject<Record<MailKind, TBoolean>> = Type.Object(
  perKind(() => Type.Boolean()),
  { $id: 'Notifications', description: 'Which kinds of mail you get.' },
)
export type Notifications = Static<typeof Notifications>

export const UpdateNotificationsRequest: TObject<Record<MailKind, TOptional<TBoolean>>> = Type.Object(
  perKind(() => optional(Type.Boolean())),
  { $id: 'UpdateNotificationsRequest' },
)
