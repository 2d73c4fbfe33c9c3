import { db } from '@/db/client'
import { listLeadingTo } from './queries'

export type BadgeAchievement = Awaited<ReturnType<typeof listLeadingTo>>[number]

export const leadingTo = (badgeSlug: string): Promise<BadgeAchievement[]> => listLeadingTo(db, badgeSlug)
