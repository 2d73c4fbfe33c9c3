import { Type } from '@sinclair/typebox'
import { id, line, nullable, optional, pattern, person, sortOrder, text, whole } from '@/core/fields'
import { pageFields } from '@/core/page'
import { icon } from '../change'

/** For platform badges; groups have a lower limit. */
export const POINTS_MAX = 1000

export const required = {
  name: line(1, 100),
  slug: pattern('^[a-z0-9-]{1,100}$', 1, 100, 'must be 1 to 100 lower-case letters, digits or hyphens'),
  icon: icon(),
}

export const details = {
  description: optional(nullable(text(0, 500))),
  color: optional(pattern('^#[0-9a-fA-F]{6}$', 7, 7, 'must be a color such as #64748b')),
  points: optional(whole(0, POINTS_MAX)),
  sortOrder: optional(sortOrder()),
}

/** Slugs are part of URLs, so they never change. */
export const changes = { name: optional(required.name), icon: optional(required.icon), ...details }

const groupId = id()
const ofGroup = { groupId, badgeId: id() }

export const GroupBadgesInput = Type.Object({ groupId, ...pageFields })
export const NewGroupBadge = Type.Object({ groupId, ...required, ...details })
export const GroupBadgeInput = Type.Object(ofGroup)
export const GroupBadgeChange = Type.Object({ ...ofGroup, ...changes })

export const userId = person()

export const GroupAwardInput = Type.Object({ ...ofGroup, userId })
