import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { Nothing, pageOf } from '@/core/page'
import { iso } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import { makeClaimLink, presentLink, readLimits } from './links'
import { countLinksOf, deleteLink, findBadge, listLinksOf, lockBadgeKey, OLDEST_FIRST } from './queries'
import { ClaimLink, LinkInput, LinksInput, NewLinkInput, NewPlatformLinkInput } from './schema'

export const listClaimLinks = action({
  name: 'listClaimLinks',
  access: 'manage:badges',
  reads: true,
  summary: "List a badge's claim links",
  description: 'For managers and up.',
  input: LinksInput,
  output: pageOf(ClaimLink),
  errors: ['not_found'],
  run: async (caller, { groupId, badgeId, ...input }) => {
    await managedGroup(db, caller, groupId, 'manager')
    if (!(await findBadge(db, groupId, badgeId))) throw notFound('Badge')
    return keysetPage(
      {
        list: `claim-links:${badgeId}`,
        input,
        order: OLDEST_FIRST,
        rows: (after) => listLinksOf(db, badgeId, after),
        total: await countLinksOf(db, badgeId),
      },
      presentLink,
    )
  },
})

export const createClaimLink = action({
  name: 'createClaimLink',
  access: 'manage:badges',
  summary: 'Make a claim link for a badge of a group',
  description: 'For managers and up. Whoever opens the link gets the badge.',
  input: NewLinkInput,
  output: ClaimLink,
  errors: ['not_found', 'conflict'],
  run: (caller, { groupId, badgeId, ...asked }) => {
    const limits = readLimits(asked)
    return transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      if (!(await lockBadgeKey(tx, groupId, badgeId))) throw notFound('Badge')
      return presentLink(await makeClaimLink(tx, badgeId, limits))
    })
  },
})

export const deleteClaimLink = action({
  name: 'deleteClaimLink',
  access: 'manage:badges',
  summary: 'Delete a claim link',
  description: 'For managers and up. Badges that were claimed with it stay with their holders.',
  input: LinkInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { groupId, linkId }) =>
    transaction(async (tx) => {
      await managedGroup(tx, caller, groupId, 'manager')
      if (!(await deleteLink(tx, groupId, linkId))) throw notFound('Claim link')
    }),
})

export const createPlatformClaimLink = action({
  name: 'createPlatformClaimLink',
  access: 'admin',
  summary: 'Make a claim link for a badge of the platform',
  input: NewPlatformLinkInput,
  output: ClaimLink,
  errors: ['not_found', 'conflict'],
  run: (caller, { badgeId, ...asked }) => {
    const limits = readLimits(asked)
    return transaction(async (tx) => {
      if (!(await lockBadgeKey(tx, null, badgeId))) throw notFound('Badge')
      const link = await makeClaimLink(tx, badgeId, limits)
      await audit(tx, caller, {
        action: 'claim_link.create',
        targetType: 'claim_link',
        targetId: link.id,
        changes: { badgeId, maxUses: link.maxUses, expiresAt: iso(link.expiresAt) },
      })
      return presentLink(link)
    })
  },
})
