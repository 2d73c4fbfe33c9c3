import { now } from '@/core/clock'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { endWorksOf } from '../end-what-grant-made'
import { deleteFamily } from '../queries'
import { type FamilyRow, hasLivingFamily, lockGrant } from './queries'

/**
 * Ends a token family on every process. The works of its grant end with it when the tokens were stolen, for the thief
 * may have made them, or when the grant has no other family left. The grant is locked before its family, as by everyone
 * who ends both.
 */
export const endFamily = ({ familyId, grantId, userId }: FamilyRow, why: 'stolen' | 'given back') =>
  transaction(async (tx) => {
    await lockGrant(tx, grantId)
    await deleteFamily(tx, familyId)
    if (why === 'stolen' || !(await hasLivingFamily(tx, grantId, now()))) await endWorksOf(tx, grantId)
    broadcast(tx, { type: 'access.ended', data: { userId } })
  })
