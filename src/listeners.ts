import { appMailListener } from './modules/access/developer-apps/listeners'
import { grantMailListener } from './modules/access/grants/listeners'
import { tokenMailListener } from './modules/access/tokens/listeners'
import { exportListener } from './modules/account/privacy/export/listeners'
import { claimMailListener } from './modules/community/group-claims/listeners'
import { webhookMailListener } from './modules/developers/webhooks/listeners'
import { hubListener } from './modules/gatherings/feeds/websub/listeners'
import { noticeListeners } from './modules/gatherings/notices/listeners'
import { passSheetListener } from './modules/gatherings/pass-sheets/listeners'
import { followerMailListener } from './modules/people/follows/listeners'
import { uploadListener } from './modules/people/uploads/listeners'
import { usesListeners } from './modules/people/uploads/uses/listeners'
import { achievementListener } from './modules/recognition/achievements/listeners'
import { badgeMailListener } from './modules/recognition/badges/listeners'
import type { Listener } from './outbox/listener'
import { picturePlaces } from './pictures'

/** Every area's reactions to domain events. */
export const listeners: Listener[] = [
  achievementListener,
  webhookMailListener,
  tokenMailListener,
  grantMailListener,
  appMailListener,
  claimMailListener,
  followerMailListener,
  badgeMailListener,
  ...noticeListeners,
  hubListener,
  passSheetListener,
  exportListener,
  uploadListener(picturePlaces),
  ...usesListeners(picturePlaces),
]
