import { deleteCredentialsOf } from '@/auth/queries'
import { now } from '@/core/clock'
import { conflict, gone } from '@/core/errors'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { deleteFeedTokenOf } from '@/modules/access/feed-tokens/queries'
import { lockUsers } from '@/modules/people/users/queries'
import { broadcast } from '@/outbox/broadcast'
import { emit } from '@/outbox/emit'
import { type ChangeRow, deleteIdentitiesOf, findUndoable, markUndoneSince, setAddress } from './queries'

export const pastUndoing = () => gone('This was undone already, or its seven days are over')

/**
 * Gives an account its old address back, whatever was asked for or changed since, and ends every way in but a mail to this
 * address: whoever changed it may have made more of them.
 */
export const undoChange = (undoHash: Uint8Array): Promise<ChangeRow> =>
  transaction(async (tx) => {
    const meant = await findUndoable(tx, { undoHash }, now())
    if (!meant) throw pastUndoing()
    const userId = meant.userId
    const [person] = await lockUsers(tx, [userId])
    const change = await findUndoable(tx, { undoHash }, now())
    if (!change || !person) throw pastUndoing()
    await setAddress(tx, userId, change.oldEmail as string, now()).catch(
      explain({ users_email_key: () => conflict('Another account has this address by now') }),
    )
    await markUndoneSince(tx, change, now())
    await deleteCredentialsOf(tx, userId)
    if (await deleteFeedTokenOf(tx, userId)) await emit(tx, 'feed_token.rotated', { userId })
    if ((await deleteIdentitiesOf(tx, userId)) > 0)
      await emit(tx, 'user.updated', { userId, fields: ['linkedAccounts'] })
    broadcast(tx, { type: 'user.seen', data: { userId } })
    broadcast(tx, { type: 'session.ended', data: { userId } })
    broadcast(tx, { type: 'access.ended', data: { userId } })
    return change
  })
