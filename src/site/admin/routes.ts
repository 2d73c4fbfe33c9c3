import { Elysia } from 'elysia'
import { page } from '@/web/page'
import { ADMIN, pathOf } from './admin-page'
import { claimsForms, groupsForms, showClaims, showGroups } from './groups'
import { showAdmin, showAudit, showJobs } from './operations'
import { designsForms, showDesigns, showTags, tagsForms } from './passes'
import { showUsers, usersForms } from './people'
import {
  achievementsForms,
  platformBadgeForms,
  platformBadgesForms,
  showAchievements,
  showPlatformBadge,
  showPlatformBadges,
} from './recognition'

export const adminPages = new Elysia()
  .get(ADMIN, ...page(showAdmin))
  .get(pathOf('users'), ...page(showUsers))
  .post(pathOf('users'), ...usersForms)
  .get(pathOf('groups'), ...page(showGroups))
  .post(pathOf('groups'), ...groupsForms)
  .get(pathOf('claims'), ...page(showClaims))
  .post(pathOf('claims'), ...claimsForms)
  .get(pathOf('badges'), ...page(showPlatformBadges))
  .post(pathOf('badges'), ...platformBadgesForms)
  .get(`${pathOf('badges')}/:badgeId`, ...page(showPlatformBadge))
  .post(`${pathOf('badges')}/:badgeId`, ...platformBadgeForms)
  .get(pathOf('achievements'), ...page(showAchievements))
  .post(pathOf('achievements'), ...achievementsForms)
  .get(pathOf('tags'), ...page(showTags))
  .post(pathOf('tags'), ...tagsForms)
  .get(pathOf('designs'), ...page(showDesigns))
  .post(pathOf('designs'), ...designsForms)
  .get(pathOf('audit'), ...page(showAudit))
  .get(pathOf('jobs'), ...page(showJobs))
