import { now } from '@/core/clock'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { endWorksOf } from '../end-works'
import { deleteFamily } from '../queries'
import { type FamilyRow, hasLivingFamily, lockGrant } from './queries'

/**
 * Ends everything that came of one consent, on every process. What the application made for the person ends with it when
 * the tokens were in wrong hands, for these may have made it, or when no other consent is left that answers for it. The
 * grant is locked before its family, as by everyone who ends both.
 */
export const endFamily = ({ familyId, grantId, userId }: FamilyRow, why: 'stolen' | 'given back') =>
  transaction(async (tx) => {
    await lockGrant(tx, grantId)
    await deleteFamily(tx, familyId)
    if (why === 'stolen' || !(await hasLivingFamily(tx, grantId, now()))) await endWorksOf(tx, grantId)
    broadcast(tx, { type: 'access.ended', data: { userId } })
  })
