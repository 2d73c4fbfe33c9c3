import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { Nothing, Success } from '@/core/page'
import { audit } from '@/db/audit'
import type { Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { findPerson } from '@/modules/people/users/queries'
import { awardOrConflict, revoke } from '@/modules/recognition/badges/award'
import { demandBadge } from '@/modules/recognition/badges/change'
import { PlatformAwardInput } from './schema'

export const awardPlatformBadge = action({
  name: 'awardPlatformBadge',
  access: 'admin',
  summary: 'Award a badge of the platform',
  input: PlatformAwardInput,
  output: Success,
  errors: ['not_found', 'conflict'],
  run: (caller, { badgeId, userId: who }) =>
    transaction(async (tx) => {
      const { badge } = await demandBadge(tx, null, badgeId)
      const userId = await demandPerson(tx, who)
      await awardOrConflict(tx, badge, userId, 'admin')
      await audit(tx, caller, {
        action: 'badge.award',
        targetType: 'badge',
        targetId: badgeId,
        changes: { userId },
      })
      return { success: true } as const
    }),
})

export const revokePlatformBadge = action({
  name: 'revokePlatformBadge',
  access: 'admin',
  summary: 'Revoke a badge of the platform',
  input: PlatformAwardInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { badgeId, userId: who }) =>
    transaction(async (tx) => {
      const { badge } = await demandBadge(tx, null, badgeId)
      const userId = await demandPerson(tx, who)
      if (!(await revoke(tx, badge, userId))) throw notFound('Award')
      await audit(tx, caller, {
        action: 'badge.revoke',
        targetType: 'badge',
        targetId: badgeId,
        changes: { userId },
      })
    }),
})

/** Includes private people; suspended ones neither get nor lose badges. */
async function demandPerson(tx: Tx, who: string): Promise<string> {
  const person = await findPerson(tx, who)
  if (!person || person.suspendedAt !== null) throw notFound('User')
  return person.id
}
