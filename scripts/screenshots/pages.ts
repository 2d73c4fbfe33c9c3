import type { Demo } from '@/demo/tokens'

/** The viewer: anonymous, member, organizer or administrator. */
export type Reader = 'stranger' | 'person' | 'organizer' | 'administrator'

export type DemoPage = { name: string; path: string; as: Reader }

type Json = { data: { id: string; code?: string; slug?: string }[] }

const ORGANIZER = 'magda-horvat'

/** The users of these pages. */
export const READERS: Record<Exclude<Reader, 'stranger'>, string> = {
  person: 'ada-okafor',
  organizer: ORGANIZER,
  administrator: 'robin-ashworth',
}

/** Every page of the demo community in its states, by path. */
export async function demoPages(demo: Demo, base: string): Promise<DemoPage[]> {
  const tokenOf = (username: string) => demo.people.find((person) => person.username === username)?.token
  const read = async (path: string, username: string) =>
    (await (
      await fetch(base + path, { headers: { authorization: `Bearer ${tokenOf(username)}` } })
    ).json()) as Json
  const eventOf = (title: string) => demo.events.find((event) => event.title === title)?.id ?? ''
  const managed = demo.people.find(({ username }) => username === ORGANIZER)?.manages[0] ?? ''
  const groupOf = (id: string) => demo.groups.find((group) => group.id === id)?.urlname ?? ''
  const { data: events } = await read(`/v1/manage/groups/${managed}/events?limit=5`, ORGANIZER)
  const eventId = events[0]?.id ?? ''
  const { data: codes } = await read(
    `/v1/manage/groups/${managed}/events/${eventId}/checkin-codes`,
    ORGANIZER,
  )
  const { data: badges } = await read(`/v1/manage/groups/${managed}/badges`, ORGANIZER)
  const { data: platformBadges } = await read('/v1/admin/badges', READERS.administrator)
  const pass = demo.passes.find(({ username, type }) => username === 'bram-de-wit' && type === 'qrcode')?.id
  const ownPass = demo.passes.find(
    ({ username, type }) => username === READERS.person && type === 'qrcode',
  )?.id
  const group = `/groups/${groupOf(managed)}`
  const manage = `/manage/groups/${managed}`
  const page = (as: Reader) => (name: string, path: string) => ({ name, path, as })
  const [open, own] = [page('stranger'), page('person')]
  const [organize, administer] = [page('organizer'), page('administrator')]
  return [
    open('home', '/'),
    open('events', '/events'),
    open('events-month', '/events?view=month'),
    open('events-none', '/events?q=nothing-like-it'),
    open('event', `/events/${eventOf('Sunday ride along the river')}`),
    open('event-full', `/events/${eventOf('Repair evening')}`),
    open('event-past', `/events/${eventOf('Spring tour')}`),
    open('event-cancelled', `/events/${demo.events.find(({ status }) => status === 'cancelled')?.id}`),
    open('groups', '/groups'),
    open('group', group),
    open('people', '/people'),
    open('profile', '/u/ada-okafor'),
    open('profile-followers', '/u/ada-okafor/followers'),
    open('profile-following', '/u/ada-okafor/following'),
    open('profile-connections', '/u/ada-okafor/connections'),
    open('group-members', `${group}/members`),
    open('group-invite-unknown', '/groups/claim/nosuchtoken'),
    open('badges', '/badges'),
    open('badge', `/badges/${platformBadges[0]?.slug}`),
    open('checkin-unknown', '/checkin/NOSUCH99'),
    open('checkin-printed-unknown', '/CHECKIN/NOSUCH99'),
    open('mail-link-gone', '/auth/email/verify?token=nosuchtoken'),
    open('address-link-gone', '/auth/address/confirm?token=nosuchtoken'),
    open('address-undo-gone', '/auth/address/undo?token=nosuchtoken'),
    open('unsubscribe-gone', '/unsubscribe/nosuchtoken'),
    open('account-deleted', '/settings/deleted'),
    open('leaderboard', '/leaderboard'),
    open('about', '/about'),
    open('terms', '/terms'),
    open('privacy', '/privacy'),
    open('login', '/login'),
    own('welcome', '/welcome?returnTo=/events'),
    open('not-found', '/nowhere'),
    open('claim-unknown', '/claim/NOSUCHCODE'),
    open('pass', `/pass/${pass}`),
    own('home-mine', '/'),
    own('event-mine', `/events/${eventOf('Sunday ride along the river')}`),
    own('group-mine', group),
    own('settings', '/settings'),
    own('settings-profile', '/settings/profile'),
    own('settings-accounts', '/settings/accounts'),
    own('settings-preferences', '/settings/preferences'),
    own('settings-sessions', '/settings/sessions'),
    own('settings-tokens', '/settings/tokens'),
    own('settings-applications', '/settings/applications'),
    own('settings-feeds', '/settings/feeds'),
    own('settings-passes', '/settings/passes'),
    own('settings-mail', '/settings/mail'),
    own('settings-portfolio', '/settings/portfolio'),
    own('settings-passes-met', '/settings/passes/met'),
    own('settings-pass-show', `/settings/passes/${ownPass}/show`),
    own('settings-data', '/settings/data'),
    own('settings-delete', '/settings/delete'),
    own('developer', '/developer'),
    own('developer-apps', '/developer/apps'),
    own('developer-app-new', '/developer/apps/new'),
    own('developer-webhooks', '/developer/webhooks'),
    own('developer-webhook-new', '/developer/webhooks/new'),
    organize('manage', '/manage'),
    organize('manage-group-new', '/manage/groups/new'),
    organize('manage-group', manage),
    organize('manage-group-settings', `${manage}/settings`),
    organize('manage-staff', `${manage}/staff`),
    organize('manage-badges', `${manage}/badges`),
    organize('manage-badge', `${manage}/badges/${badges[0]?.id}`),
    organize('manage-event-new', `${manage}/events/new`),
    organize('manage-event', `${manage}/events/${eventId}`),
    organize('manage-event-edit', `${manage}/events/${eventId}/edit`),
    organize('manage-codes', `${manage}/events/${eventId}/codes`),
    organize('manage-code', `${manage}/events/${eventId}/codes/${codes[0]?.id}`),
    organize('manage-sheets', `${manage}/events/${eventId}/sheets`),
    administer('admin', '/admin'),
    administer('admin-users', '/admin/users'),
    administer('admin-groups', '/admin/groups'),
    administer('admin-claims', '/admin/claims'),
    administer('admin-badges', '/admin/badges'),
    administer('admin-badge', `/admin/badges/${platformBadges[0]?.id}`),
    administer('admin-achievements', '/admin/achievements'),
    administer('admin-tags', '/admin/tags'),
    administer('admin-designs', '/admin/designs'),
    administer('admin-audit', '/admin/audit'),
    administer('admin-jobs', '/admin/jobs'),
  ]
}
