import type { EventType } from '@/core/domain-events'

type Happened = { type: string; data: unknown }

const OF_GROUP = new Set<string>([
  'event.published',
  'event.updated',
  'event.cancelled',
  'group.updated',
  'group.deleted',
] satisfies EventType[])

/** The group whose feeds and widgets a domain event invalidates. Changes to seats, staff and badges do not show there. */
export const groupToInvalidate = ({ type, data }: Happened): string | undefined =>
  OF_GROUP.has(type) ? (data as { groupId: string }).groupId : undefined
