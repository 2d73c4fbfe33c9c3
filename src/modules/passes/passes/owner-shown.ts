import { AppError } from '@/core/errors'
import { perObject } from '@/core/memo'
import { refusals } from '@/core/refusals'
import type { KnownPass, PassOwner } from './queries'

export type OwnedPass = KnownPass & { owner: PassOwner }

export const isOwned = (known: KnownPass): known is OwnedPass => known.owner !== null

/** The same error for paused passes and suspended owners, so that suspensions stay secret. */
export const NOT_IN_USE = new AppError('gone', refusals.passNotInUse)

/** Blank tags are in use: they wait for an owner. */
export const isInUse = ({ pass, owner }: Pick<KnownPass, 'pass' | 'owner'>): boolean =>
  pass.isActive && (owner === null || owner.suspendedAt === null)

export type OwnerShown = {
  name: string
  username: string | null
  avatarUrl: string | null
  bio: string | null
  location: string | null
  socialLinks: string[]
  themeColor: string | null
}

/** What a card shows of its owner: of a private one only name and picture. */
export const ownerShown = perObject(({ name, avatarUrl, ...owner }: PassOwner): OwnerShown => {
  if (!owner.isPublic)
    return {
      name,
      username: null,
      avatarUrl,
      bio: null,
      location: null,
      socialLinks: [],
      themeColor: null,
    }
  const { username, bio, location, socialLinks, themeColor } = owner
  return { name, username, avatarUrl, bio, location, socialLinks: socialLinks ?? [], themeColor }
})
