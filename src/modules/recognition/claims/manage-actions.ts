import { action } from '@/core/action'
import { now } from '@/core/clock'
import { readableCode } from '@/core/codes'
import { invalidField, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { Nothing, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import {
  countLinksOf,
  deleteLink,
  demandQuotaForLink,
  findBadge,
  insertLink,
  type LinkRow,
  listLinksOf,
  lockBadgeKey,
  OLDEST_FIRST,
} from './queries'
import { ClaimLink, LinkInput, LinksInput, NewLinkInput, NewPlatformLinkInput } from './schema'

const CODE_LENGTH = 12

export type Limits = { maxUses?: number | null; expiresAt?: Date | null }

/** Without limits, a link never expires. */
export async function makeClaimLink(
  tx: Tx,
  badgeId: string,
  { maxUses = null, expiresAt = null }: Limits = {},
): Promise<LinkRow> {
  await demandQuotaForLink(tx, badgeId)
  for (;;) {
    const code = readableCode(CODE_LENGTH).toLowerCase()
    const row = await insertLink(tx, { id: newId(), badgeId, code, maxUses, expiresAt })
    // The code space is large, so a retry after a collision succeeds.
    if (row) return row
  }
}

function readLimits({
  maxUses,
  expiresAt: until,
}: {
  maxUses?: number | null
  expiresAt?: string | null
}): Limits {
  const expiresAt = until ? new Date(until) : null
  if (expiresAt && expiresAt <= now()) throw invalidField('expiresAt', refusals.inFuture)
  return { maxUses, expiresAt }
}

const presentLink = (row: LinkRow): ClaimLink => ({
  id: row.id,
  code: row.code,
  maxUses: row.maxUses,
  currentUses: row.currentUses,
  expiresAt: iso(row.expiresAt),
  createdAt: iso(row.createdAt),
})

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
  summary: 'Create a claim link for a badge of a group',
  description: 'For managers and up. Anyone with the link can claim the badge.',
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
  description: 'For managers and up. Holders keep the badges that they claimed with it.',
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
  summary: 'Create a claim link for a badge of the platform',
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
