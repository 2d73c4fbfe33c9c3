/** Pages of the onboarding steps. */
const PATHS: Record<string, string> = {
  add_profile_content: '/settings/profile',
  join_group: '/groups',
  follow_user: '/people',
  rsvp_event: '/events',
  connect_meetpass: '/settings/passes',
  reach_10_xp: '/badges',
}

export const stepPath = (key: string): string => PATHS[key] ?? '/settings'
