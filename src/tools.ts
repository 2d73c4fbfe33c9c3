import type { Tool } from './mcp/tool'
import { tokensTools } from './modules/access/tokens/tools'
import { meTools } from './modules/account/me/tools'
import { onboardingTools } from './modules/account/onboarding/tools'
import { profilesTools } from './modules/account/profiles/tools'
import { allGroupsTools } from './modules/administration/groups/tools'
import { allJobsTools } from './modules/administration/jobs/tools'
import { allUsersTools } from './modules/administration/users/tools'
import { entitlementsTools } from './modules/community/entitlements/tools'
import { favoritesTools } from './modules/community/favorites/tools'
import { groupClaimsTools } from './modules/community/group-claims/tools'
import { groupsTools } from './modules/community/groups/tools'
import { checkinsTools } from './modules/gatherings/checkins/tools'
import { eventsTools } from './modules/gatherings/events/tools'
import { organizingTools } from './modules/gatherings/organizing/tools'
import { rsvpsTools } from './modules/gatherings/rsvps/tools'
import { connectionsTools } from './modules/passes/connections/tools'
import { passesTools } from './modules/passes/passes/tools'
import { followsTools } from './modules/people/follows/tools'
import { portfolioTools } from './modules/people/portfolio/tools'
import { uploadsTools } from './modules/people/uploads/tools'
import { achievementsTools } from './modules/recognition/achievements/tools'
import { badgesTools } from './modules/recognition/badges/tools'
import { claimsTools } from './modules/recognition/claims/tools'
import { leaderboardsTools } from './modules/recognition/leaderboards/tools'

/** Every area's tools, by name. */
const all: Record<string, Tool> = {
  ...tokensTools,
  ...meTools,
  ...onboardingTools,
  ...profilesTools,
  ...allGroupsTools,
  ...allJobsTools,
  ...allUsersTools,
  ...entitlementsTools,
  ...favoritesTools,
  ...groupClaimsTools,
  ...groupsTools,
  ...checkinsTools,
  ...eventsTools,
  ...organizingTools,
  ...rsvpsTools,
  ...connectionsTools,
  ...passesTools,
  ...followsTools,
  ...portfolioTools,
  ...uploadsTools,
  ...achievementsTools,
  ...badgesTools,
  ...claimsTools,
  ...leaderboardsTools,
}

/** The order in which they are listed: what most agents need comes first. */
const ORDER = [
  'events_list',
  'events_get',
  'events_rsvp',
  'events_cancel_rsvp',
  'events_rsvp_status',
  'events_mine',
  'events_rsvp_summary',
  'events_checkin',
  'groups_list',
  'groups_get',
  'favorites_list',
  'favorites_add',
  'favorites_remove',
  'profile_get',
  'profile_update',
  'profile_badges',
  'profile_achievements',
  'profile_entitlements',
  'users_search',
  'users_get',
  'users_follow',
  'users_unfollow',
  'users_followers',
  'users_following',
  'portfolio_list',
  'portfolio_create',
  'portfolio_update',
  'portfolio_delete',
  'badges_list',
  'badges_get',
  'claims_info',
  'claims_claim',
  'leaderboard_global',
  'leaderboard_group',
  'leaderboard_movers',
  'onboarding_status',
  'onboarding_dismiss',
  'tokens_list',
  'tokens_revoke',
  'meetpass_list',
  'meetpass_connections',
  'meetpass_update',
  'uploads_list',
  'manage_groups_list',
  'manage_groups_get',
  'manage_groups_update',
  'manage_members_list',
  'manage_members_add',
  'manage_members_update',
  'manage_members_remove',
  'manage_events_list',
  'manage_events_get',
  'manage_events_create',
  'manage_events_update',
  'manage_events_cancel',
  'manage_attendees_list',
  'manage_checkin_codes_list',
  'manage_checkin_codes_create',
  'manage_badges_list',
  'manage_badges_create',
  'manage_badges_award',
  'manage_badges_revoke',
  'manage_claim_links_create',
  'admin_users_list',
  'admin_users_update',
  'admin_groups_update',
  'admin_badges_award',
  'admin_claims_list',
  'admin_claims_approve',
  'admin_claims_reject',
  'admin_jobs',
]

/** Every tool for agents. Those without a place in the order come last. */
export const tools = [...new Set([...ORDER, ...Object.keys(all)])].map((name) => all[name] as Tool)
