import { Elysia } from 'elysia'
import { PAGER_QUERY } from '@/site/parts/pager'
import { openPage } from '@/web/open-page'
import { page } from '@/web/page'
import { badgeForPerson, showBadge } from './badge'
import { showBadges } from './badges'
import { showClaim, takeBadge } from './claim'
import { BOARD_QUERY, boardForPerson, showLeaderboard } from './leaderboard'

export const recognitionPages = new Elysia()
  .get('/badges', ...openPage(showBadges, { query: PAGER_QUERY }))
  .get('/badges/:slug', ...openPage(showBadge, { query: PAGER_QUERY, personal: badgeForPerson }))
  .get('/leaderboard', ...openPage(showLeaderboard, { query: BOARD_QUERY, personal: boardForPerson }))
  .get('/claim/:code', ...page(showClaim))
  .post('/claim/:code', ...takeBadge)
