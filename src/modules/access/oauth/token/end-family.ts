import { now } from '@/core/clock'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { endCreationsOf } from '../end-clients'
import { deleteFamily } from '../queries'
import { type FamilyRow, hasLivingFamily, lockGrant } from './queries'

/**
 * Revokes a token family in every process. What its grant created ends too if the tokens were stolen, because the thief may have
 * created it, or if the grant has no other family. Locks the grant before its family, like all code that ends both.
 */
export const endFamily = ({ familyId, grantId, userId }: FamilyRow, why: 'stolen' | 'given back') =>
  transaction(async (tx) => {
    await lockGrant(tx, grantId)
    await deleteFamily(tx, familyId)
    if (why === 'stolen' || !(await hasLivingFamily(tx, grantId, now()))) await endCreationsOf(tx, grantId)
    broadcast(tx, { type: 'access.ended', data: { userId } })
  })
