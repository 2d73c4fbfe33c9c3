import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { unauthorized } from '@/core/errors'
import { MAIL_KIND_NAMES, MAIL_KINDS } from '@/core/mail-kinds'
import { type Db, db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { listSwitches, setSwitches } from '@/mail/queries'
import { Notifications, UpdateNotificationsRequest } from './schema'

export const readNotifications = action({
  name: 'readNotifications',
  access: 'user',
  reads: true,
  summary: 'Read which kinds of mail you get',
  description:
    'What keeps an account safe is always sent and has no switch: sign-in, a new token or application, a change of the mail ' +
    'address, a webhook that was switched off.',
  input: Type.Object({}),
  output: Notifications,
  run: ({ userId }) => notificationsOf(db, userId),
})

export const updateNotifications = action({
  name: 'updateNotifications',
  access: 'user',
  summary: 'Choose which kinds of mail you get',
  description: 'What is left out stays as it is.',
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
