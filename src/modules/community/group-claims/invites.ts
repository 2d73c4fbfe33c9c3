import { hashSecret } from '@/auth/hashing'
import { gone, notFound } from '@/core/errors'
import type { Db, Tx } from '@/db/client'
import { type FoundInvite, findInvite } from './queries'

export async function inviteOf(db: Db | Tx, token: string): Promise<FoundInvite> {
  const invite = await findInvite(db, hashSecret(token))
  if (!invite) throw notFound('Invitation')
  return invite
}

export const isClaimable = ({ usedAt, expiresAt }: FoundInvite, at: Date) =>
  usedAt === null && (expiresAt === null || expiresAt > at)

export const spent = ({ usedAt }: FoundInvite) =>
  gone(usedAt === null ? 'This invitation has expired' : 'This invitation was used already')
