import { sessionSweeps } from './auth/sweeps'
import type { Sweep } from './core/sweep'
import { databaseSweeps } from './db/sweeps'
import { jobSweeps } from './jobs/sweeps'
import { mailSweeps } from './mail/sweeps'
import { oauthSweeps } from './modules/access/oauth/sweeps'
import { signInSweeps } from './modules/access/sign-in/sweeps'
import { addressChangeSweeps } from './modules/account/address-change/sweeps'
import { exportSweeps } from './modules/account/privacy/export/sweeps'
import { groupSweeps } from './modules/community/groups/sweeps'
import { webhookSweeps } from './modules/developers/webhooks/sweeps'
import { checkinSweeps } from './modules/gatherings/checkins/sweeps'
import { feedSweeps } from './modules/gatherings/feeds/sweeps'
import { websubSweeps } from './modules/gatherings/feeds/websub/sweeps'
import { passSheetSweeps } from './modules/gatherings/pass-sheets/sweeps'
import { waitlistSweeps } from './modules/gatherings/rsvps/sweeps'
import { connectionSweeps } from './modules/passes/connections/sweeps'
import { uploadSweeps } from './modules/people/uploads/sweeps'
import { usesSweeps } from './modules/people/uploads/uses/sweeps'
import { userSweeps } from './modules/people/users/sweeps'
import { badgeSweeps } from './modules/recognition/badges/sweeps'
import { leaderboardSweeps } from './modules/recognition/leaderboards/sweeps'
import { storageSweeps } from './outbound/storage/sweeps'
import { outboxSweeps } from './outbox/sweeps'
import { picturePlaces } from './pictures'

/** What every area and every room removes once it has served its time. */
export const sweeps: Sweep[] = [
  ...databaseSweeps,
  ...outboxSweeps,
  ...sessionSweeps,
  ...jobSweeps,
  ...mailSweeps,
  ...storageSweeps,
  ...signInSweeps,
  ...addressChangeSweeps,
  ...oauthSweeps,
  ...webhookSweeps,
  ...websubSweeps,
  ...leaderboardSweeps,
  ...groupSweeps,
  ...badgeSweeps,
  ...waitlistSweeps,
  ...userSweeps,
  ...feedSweeps,
  ...checkinSweeps,
  ...passSheetSweeps,
  ...exportSweeps,
  ...connectionSweeps,
  // What these find unused is gone in the same round.
  ...usesSweeps(picturePlaces),
  ...uploadSweeps(picturePlaces),
]
