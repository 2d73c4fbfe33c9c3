import { perObject } from '@/core/per-object'
import type { PassOwner } from './queries'

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
