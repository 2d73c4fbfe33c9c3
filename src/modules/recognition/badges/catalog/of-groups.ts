import { db } from '@/db/client'
import { presentBadge } from '../present'
import type { BadgeCatalog } from '../schema'
import { listNewestOfGroups } from './queries'

export type GroupsBadge = { badge: BadgeCatalog; group: { id: string; name: string; urlname: string } }

const SHOWN = 24

export const newestOfGroups = async (): Promise<GroupsBadge[]> =>
  (await listNewestOfGroups(db, SHOWN)).map(({ group, ...counted }) => ({
    badge: presentBadge(counted),
    group,
  }))
