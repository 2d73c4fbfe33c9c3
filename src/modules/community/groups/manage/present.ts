import { iso } from '@/core/shapes'
import type { Managed } from '../staff/managed-group'
import { permissionsOf } from '../staff/role'
import type { ManagedGroup, ManagedGroupSettings } from './schema'

export const presentManaged = ({ group, role }: Managed): ManagedGroup => ({
  id: group.id,
  name: group.name,
  urlname: group.urlname,
  description: group.description,
  photoUrl: group.photoUrl,
  memberCount: group.memberCount,
  userRole: role,
})

export const presentSettings = (managed: Managed): ManagedGroupSettings => ({
  ...presentManaged(managed),
  website: managed.group.website,
  tags: managed.group.tags,
  socialLinks: managed.group.socialLinks,
  heroImageUrl: managed.group.heroImageUrl,
  themeColor: managed.group.themeColor,
  isListed: managed.group.isListed,
  isFeatured: managed.group.isFeatured,
  createdAt: iso(managed.group.createdAt),
  permissions: permissionsOf(managed.role),
})
