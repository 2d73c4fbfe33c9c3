import { db } from '@/db/client'
import { listLeadingTo } from './queries'

export type BadgeAchievement = Awaited<ReturnType<typeof listLeadingTo>>[number]

/** What brings a badge by itself. */
export const leadingTo = (badgeSlug: string): Promise<BadgeAchievement[]> => listLeadingTo(db, badgeSlug)
