/*
 * What the contract says about who may call what, written down by hand. Nothing here comes from the code that it is
 * held against: a wrong scope there would be expected here.
 */

/** What each scope brings along; one that is not here brings nothing. An administrator's `admin` brings all. */
export const BRINGS: Record<string, string[]> = {
  user: ['read:user', 'user:email'],
  'write:events': ['read:events'],
  'write:favorites': ['read:favorites'],
  'write:portfolio': ['read:portfolio'],
  'manage:groups': ['read:groups'],
  'manage:events': ['write:events', 'read:events'],
  'manage:checkins': ['read:events'],
  'manage:badges': ['read:groups'],
  'write:meetpass': ['read:meetpass'],
  'write:uploads': ['read:uploads'],
}

const TABLE = `
read:user             GET    /v1/me
read:user             GET    /v1/profile
user                  PATCH  /v1/profile
session               DELETE /v1/profile
user                  GET    /v1/profile/export
session               GET    /v1/profile/sessions
session               DELETE /v1/profile/sessions/{}
session               POST   /v1/profile/email
user                  GET    /v1/profile/notifications
user                  PATCH  /v1/profile/notifications
user                  GET    /v1/profile/preferences
user                  PATCH  /v1/profile/preferences
read:user             GET    /v1/profile/check-username/{}
user                  GET    /v1/profile/tokens
user                  POST   /v1/profile/tokens
user                  DELETE /v1/profile/tokens/{}
read:portfolio        GET    /v1/profile/portfolio
write:portfolio       POST   /v1/profile/portfolio
write:portfolio       PATCH  /v1/profile/portfolio/{}
write:portfolio       DELETE /v1/profile/portfolio/{}
read:user             GET    /v1/profile/achievements
read:user             GET    /v1/profile/badges
read:user             GET    /v1/profile/entitlements
user:linked-accounts  GET    /v1/me/linked-accounts
session               DELETE /v1/me/linked-accounts/{}
read:events           GET    /v1/me/rsvps
user                  GET    /v1/profile/grants
user                  DELETE /v1/profile/grants/{}
user                  GET    /v1/profile/feed-token
user                  POST   /v1/profile/feed-token/rotate

read:user             GET    /v1/users
read:user             GET    /v1/users/{}
read:user             GET    /v1/users/{}/group-badges
read:user             GET    /v1/users/{}/connections
read:user             GET    /v1/users/{}/followers
read:user             GET    /v1/users/{}/following
user                  POST   /v1/users/{}/follow
user                  DELETE /v1/users/{}/follow

read:events           GET    /v1/events
read:events           GET    /v1/events/{}
read:events           GET    /v1/events/{}/attendees
read:events           GET    /v1/events/{}/rsvp
write:events          POST   /v1/events/{}/rsvp
write:events          DELETE /v1/events/{}/rsvp
read:events           GET    /v1/events/{}/rsvp-summary
public                GET    /v1/checkin/{}
write:events          POST   /v1/checkin/{}

read:groups           GET    /v1/groups
read:groups           GET    /v1/groups/{}
read:groups           GET    /v1/groups/{}/members
read:groups           GET    /v1/groups/{}/leaderboard
read:favorites        GET    /v1/favorites
write:favorites       POST   /v1/favorites/{}
write:favorites       DELETE /v1/favorites/{}
none                  GET    /v1/public/groups/{}
none                  GET    /v1/public/groups/{}/next-event

read:user             GET    /v1/badges
read:user             GET    /v1/badges/{}
read:user             GET    /v1/leaderboard
read:user             GET    /v1/leaderboard/movers
public                GET    /v1/claim/{}
user                  POST   /v1/claim/{}
public                GET    /v1/groups/claim/{}
manage:groups         POST   /v1/groups/claim/{}
manage:groups         POST   /v1/groups/{}/claim
public                GET    /v1/scopes

manage:groups         GET    /v1/manage/groups
manage:groups         POST   /v1/manage/groups
manage:groups         GET    /v1/manage/groups/{}
manage:groups         PATCH  /v1/manage/groups/{}
manage:groups         DELETE /v1/manage/groups/{}
manage:groups         GET    /v1/manage/groups/{}/members
manage:groups         POST   /v1/manage/groups/{}/members
manage:groups         PATCH  /v1/manage/groups/{}/members/{}
manage:groups         DELETE /v1/manage/groups/{}/members/{}
manage:groups         POST   /v1/manage/groups/{}/leave
manage:events         GET    /v1/manage/groups/{}/events
manage:events         POST   /v1/manage/groups/{}/events
manage:events         GET    /v1/manage/groups/{}/events/{}
manage:events         PATCH  /v1/manage/groups/{}/events/{}
manage:events         POST   /v1/manage/groups/{}/events/{}/cancel
manage:events         DELETE /v1/manage/groups/{}/events/{}
manage:events         POST   /v1/manage/groups/{}/events/{}/duplicate
manage:checkins       GET    /v1/manage/groups/{}/events/{}/attendees
manage:checkins       POST   /v1/manage/groups/{}/events/{}/attendees/export
manage:checkins       POST   /v1/manage/groups/{}/events/{}/attendees/{}/checkin
manage:checkins       DELETE /v1/manage/groups/{}/events/{}/attendees/{}/checkin
manage:checkins       POST   /v1/manage/groups/{}/events/{}/guests
manage:checkins       DELETE /v1/manage/groups/{}/events/{}/guests/{}
manage:checkins       GET    /v1/manage/groups/{}/events/{}/checkin-codes
manage:checkins       POST   /v1/manage/groups/{}/events/{}/checkin-codes
manage:checkins       DELETE /v1/manage/groups/{}/checkin-codes/{}
manage:checkins       GET    /v1/manage/groups/{}/events/{}/pass-sheets
manage:checkins       POST   /v1/manage/groups/{}/events/{}/pass-sheets
manage:checkins       GET    /v1/manage/groups/{}/pass-sheets/{}
manage:badges         GET    /v1/manage/groups/{}/badges
manage:badges         POST   /v1/manage/groups/{}/badges
manage:badges         PATCH  /v1/manage/groups/{}/badges/{}
manage:badges         DELETE /v1/manage/groups/{}/badges/{}
manage:badges         POST   /v1/manage/groups/{}/badges/{}/award/{}
manage:badges         DELETE /v1/manage/groups/{}/badges/{}/award/{}
manage:badges         GET    /v1/manage/groups/{}/badges/{}/claim-links
manage:badges         POST   /v1/manage/groups/{}/badges/{}/claim-links
manage:badges         DELETE /v1/manage/groups/{}/claim-links/{}
manage:groups         GET    /v1/manage/groups/{}/connections
manage:groups         POST   /v1/manage/groups/{}/connections
manage:groups         POST   /v1/manage/groups/{}/connections/{}/sync
manage:groups         DELETE /v1/manage/groups/{}/connections/{}

developer             GET    /v1/developer/apps
developer             POST   /v1/developer/apps
developer             GET    /v1/developer/apps/{}
developer             PATCH  /v1/developer/apps/{}
developer             DELETE /v1/developer/apps/{}
developer             POST   /v1/developer/apps/{}/regenerate-secret
developer             GET    /v1/developer/webhooks
developer             POST   /v1/developer/webhooks
developer             PATCH  /v1/developer/webhooks/{}
developer             DELETE /v1/developer/webhooks/{}
developer             GET    /v1/developer/webhooks/{}/deliveries
developer             POST   /v1/developer/webhooks/{}/messages/{}/retry
developer             POST   /v1/developer/webhooks/{}/rotate-secret
developer             POST   /v1/developer/webhooks/{}/test
developer             GET    /v1/developer/event-types
write:uploads         POST   /v1/uploads/request
read:uploads          GET    /v1/uploads
read:uploads          GET    /v1/uploads/usage
write:uploads         DELETE /v1/uploads/{}
none                  GET    /v1/uploads/file/{}
user                  GET    /v1/me/onboarding
user                  POST   /v1/me/onboarding/{}/dismiss
user                  POST   /v1/me/onboarding/dismiss-all

read:meetpass         GET    /v1/meetpass
read:meetpass         GET    /v1/meetpass/qr
read:meetpass         GET    /v1/meetpass/connections
write:meetpass        DELETE /v1/meetpass/connections/{}
read:meetpass         GET    /v1/meetpass/{}
write:meetpass        PATCH  /v1/meetpass/{}
write:meetpass        POST   /v1/meetpass/{}/claim
write:meetpass        POST   /v1/meetpass/{}/release
write:meetpass        POST   /v1/meetpass/{}/rotate

admin                 GET    /v1/admin/users
admin                 PATCH  /v1/admin/users/{}
admin                 DELETE /v1/admin/users/{}
admin                 GET    /v1/admin/groups
admin                 PATCH  /v1/admin/groups/{}
admin                 GET    /v1/admin/group-claims
admin                 POST   /v1/admin/group-claims/{}/approve
admin                 POST   /v1/admin/group-claims/{}/reject
admin                 POST   /v1/admin/groups/{}/claim-invites
admin                 GET    /v1/admin/badges
admin                 POST   /v1/admin/badges
admin                 PATCH  /v1/admin/badges/{}
admin                 DELETE /v1/admin/badges/{}
admin                 POST   /v1/admin/badges/{}/award/{}
admin                 DELETE /v1/admin/badges/{}/award/{}
admin                 POST   /v1/admin/badges/{}/claim-links
admin                 GET    /v1/admin/achievements
admin                 POST   /v1/admin/achievements
admin                 PATCH  /v1/admin/achievements/{}
admin                 DELETE /v1/admin/achievements/{}
admin                 POST   /v1/admin/users/{}/entitlements
admin                 DELETE /v1/admin/users/{}/entitlements/{}
admin                 GET    /v1/admin/meetpass/designs
admin                 POST   /v1/admin/meetpass/designs
admin                 POST   /v1/admin/meetpass/tags
admin                 GET    /v1/admin/meetpass/tags
admin                 GET    /v1/admin/audit-log
admin                 GET    /v1/admin/jobs
`

const accessOf = new Map(
  TABLE.split('\n')
    .filter(Boolean)
    .map((line) => {
      const [access = '', method, path] = line.split(/ +/)
      return [`${method} ${path}`, access]
    }),
)

/** The scope that a route needs, or `session`, `public` or `none`; nothing for one that the contract does not know. */
export const expectedAccess = (method: string, pattern: string) =>
  accessOf.get(`${method} ${pattern.replace(/:\w+|\*$/g, '{}')}`)
