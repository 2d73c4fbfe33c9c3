import type { EventType } from '@/core/domain-events'

type Happened = { type: string; data: unknown }

const OF_GROUP = new Set<string>([
  'event.published',
  'event.updated',
  'event.cancelled',
  'group.updated',
  'group.deleted',
] satisfies EventType[])

/** The group of which something that feeds and widgets show has changed. What concerns seats, staff or badges is none of it. */
export const groupShownAnew = ({ type, data }: Happened): string | undefined =>
  OF_GROUP.has(type) ? (data as { groupId: string }).groupId : undefined
